/* Cycle search: decides whether all future choices lead back into a cycle, in a separate run. */

enum { HAS_EXIT, NO_EXIT, UNKNOWN, RECURS };

typedef struct position position;
typedef struct way way;
/* Predecessor of a position. */
struct way {
    const way *next;
    position *from;
};
struct position {
    position *in_bucket, *waiting, *seen_after;
    const way *before; /* predecessors */
    const int32_t *options;
    int32_t count, found;
    uint64_t hash;
    cell cells[SIZE];
};
typedef struct {
    run *outer, *inner;
    position **buckets, *last; /* hash table, and list of all positions */
    uint64_t capacity, positions;
} search;

static void go(run *r);
static void list_options(run *r);
static void choose(run *r, const int32_t *option, cell time);
static int made_at_once_or_by_time(cell decision);

/* List the options of the inner run's decision; 0 if it leads out of the cycle. */
static int offered(search *s, int first) {
    run *r = s->inner;
    r->used = s->outer->used;
    r->stopped = r->listed = r->count = 0;
    r->options = (int32_t *)(r->room + ((r->used + 15) & ~(uint64_t)15));
    uint64_t rows = (r->size - r->used) / (ROW * sizeof(int32_t));
    r->most = rows < 16 ? 0 : rows - 16 > INT32_MAX ? INT32_MAX : (int32_t)(rows - 16);
    if (S[AT_BLOCK] >= 0) {
        go(r);
        S[AT_BLOCK] = -1;
    }
    if (!r->stopped) {
        if (S[AT_DECISION] < 0 || !S[first] || made_at_once_or_by_time(S[AT_DECISION]))
            return 0;
        if (!r->listed)
            list_options(r);
    }
    return r->stopped ? 0 : r->count;
}

/* Return whether the search ends for lack of memory, or because of a fault of the exhausted budget. */
static int broken(const search *s) {
    return s->inner->stopped == NO_ROOM || (s->inner->stopped == FAULTED && s->inner->fuel < 0);
}

static int grow(search *s) {
    uint64_t capacity = s->capacity ? 2 * s->capacity : 64;
    position **buckets = more_room(s->outer, capacity * sizeof(position *));
    if (!buckets)
        return 0;
    for (uint64_t i = 0; i < capacity; i++)
        buckets[i] = 0;
    for (position *p = s->last; p; p = p->seen_after) {
        p->in_bucket = buckets[p->hash & (capacity - 1)];
        buckets[p->hash & (capacity - 1)] = p;
    }
    s->buckets = buckets;
    s->capacity = capacity;
    return 1;
}

/* Position of the inner run; `fresh` is set if it is new.  Null if there is no memory. */
static position *reached(search *s, int *fresh) {
    run *r = s->inner;
    uint64_t hash = 0;
    for (int i = 0; i < SIZE; i++)
        hash = (hash ^ (uint64_t)S[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
    hash ^= hash >> 32;
    *fresh = 0;
    for (position *p = s->capacity ? s->buckets[hash & (s->capacity - 1)] : 0; p; p = p->in_bucket) {
        int i = p->hash == hash ? 0 : SIZE + 1;
        while (i < SIZE && p->cells[i] == S[i])
            i++;
        if (i == SIZE)
            return p;
    }
    /* The options were listed at the start of the free memory, and are kept. */
    const int32_t *options = r->options;
    if (!more_room(s->outer, (uint64_t)r->count * ROW * sizeof(int32_t)))
        return 0;
    position *p = more_room(s->outer, sizeof(position));
    if (!p)
        return 0;
    copy_cells(p->cells, S, SIZE);
    p->options = options;
    p->count = r->count;
    p->hash = hash;
    p->before = 0;
    p->found = 0;
    p->seen_after = s->last;
    s->last = p;
    s->positions++;
    if (s->positions > s->capacity) {
        if (!grow(s))
            return 0;
    } else {
        p->in_bucket = s->buckets[hash & (s->capacity - 1)];
        s->buckets[hash & (s->capacity - 1)] = p;
    }
    *fresh = 1;
    return p;
}

/* Return whether `goal` is reachable from all positions. */
static int all_lead_to(search *s, position *goal) {
    uint64_t found = 1;
    position *waiting = goal;
    goal->found = 1;
    goal->waiting = 0;
    while (waiting) {
        const way *before = waiting->before;
        waiting = waiting->waiting;
        for (; before; before = before->next)
            if (!before->from->found) {
                before->from->found = 1;
                before->from->waiting = waiting;
                waiting = before->from;
                found++;
            }
    }
    return found == s->positions;
}

/* Search with the budget of the inner run; UNKNOWN if that or the memory is exhausted. */
static int searched(search *s, int first) {
    run *r = s->inner;
    int fresh;
    if (!offered(s, first))
        return broken(s) ? UNKNOWN : HAS_EXIT;
    position *start = reached(s, &fresh), *waiting = start;
    if (!start)
        return UNKNOWN;
    start->waiting = 0;
    while (waiting) {
        position *place = waiting;
        waiting = place->waiting;
        for (int i = place->count - 1; i >= 0; i--) {
            copy_cells(S, place->cells, SIZE);
            choose(r, place->options + (int64_t)i * ROW, 0);
            if (!offered(s, first))
                return broken(s) ? UNKNOWN : HAS_EXIT;
            r->fuel -= SIZE / 4 + 16 * r->count;
            if (r->fuel < 0)
                return UNKNOWN;
            position *next = reached(s, &fresh);
            way *came = next ? more_room(s->outer, sizeof(way)) : 0;
            if (!came)
                return UNKNOWN;
            if (fresh) {
                next->waiting = waiting;
                waiting = next;
            }
            came->from = place;
            came->next = next->before;
            next->before = came;
        }
    }
    return all_lead_to(s, start) ? RECURS : NO_EXIT;
}

/* Verdict for a decision of a seat, with the budget of a run.  The memory is released. */
static int endless(run *outer, int decision, cell seat, int first, int end) {
    if (outer->fuel < RESERVE)
        return UNKNOWN;
    uint64_t used = outer->used;
    search s = {outer, more_room(outer, sizeof(run)), 0, 0, 0, 0};
    run *r = s.inner;
    if (!r)
        return UNKNOWN;
    copy_cells(S, outer->cells, SIZE);
    S[AT_BLOCK] = -1;
    S[AT_TIME] = 0;
    S[AT_DECISION] = decision;
    S[AT_SEAT] = seat;
    for (int i = first; i < end; i++)
        S[i] = i == first;
    /* The memory is uninitialised. */
    for (int i = 0; i < SCRATCH; i++)
        W[i] = 0;
    r->dice = NO_DICE;
    r->room = outer->room;
    r->size = outer->size;
    r->fuel = outer->fuel - RESERVE;
    int found = searched(&s, first);
    /* An unknown verdict has used the whole budget. */
    outer->fuel = RESERVE + (found == UNKNOWN ? 0 : r->fuel);
    outer->used = used;
    if (r->stopped == NO_ROOM)
        outer->stopped = NO_ROOM;
    return found;
}
