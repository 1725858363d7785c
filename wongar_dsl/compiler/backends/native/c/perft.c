/* Perft: counts the histories of a game.  Each position is expanded once and stored with its number of histories.

   If chance is enumerated, the successor of a choice is a position or a roll: weighted outcomes, which are positions or
   rolls again.  Equal positions and equal rolls of a layer are one node. */

typedef unsigned __int128 courses;
typedef struct node node;
/* Address of a node as an integer, because the content of a node is also read as cells. */
typedef struct { cell to, weight; } outcome;
struct node {
    node *in_bucket, *next; /* `next` node of the layer that histories lead to */
    uint64_t hash;
    courses number;   /* histories that lead to it */
    int32_t counted;  /* 1 if histories lead to it directly, not only through rolls */
    int32_t outcomes; /* outcomes of a roll, 0 for a position */
    cell content[];   /* cells, or outcomes */
};
typedef struct {
    unsigned char *room;
    uint64_t size, used, capacity, nodes;
    node **buckets;
    node *first; /* nodes that histories lead to */
    uint64_t counted;
} layer;

static void *room_of(run *r, layer *l, uint64_t bytes) { return room_in(r, l->room, l->size, &l->used, bytes); }

static int empty(run *r, layer *l, uint64_t capacity) {
    l->used = l->nodes = l->counted = 0;
    l->first = 0;
    l->capacity = capacity;
    l->buckets = room_of(r, l, capacity * sizeof(node *));
    if (!l->buckets)
        return 0;
    for (uint64_t i = 0; i < capacity; i++)
        l->buckets[i] = 0;
    return 1;
}

/* Double the number of buckets when there are as many nodes. */
static int widen(run *r, layer *l) {
    node **before = l->buckets;
    uint64_t capacity = 2 * l->capacity;
    node **buckets = room_of(r, l, capacity * sizeof(node *));
    if (!buckets)
        return 0;
    for (uint64_t i = 0; i < capacity; i++)
        buckets[i] = 0;
    for (uint64_t i = 0; i < l->capacity; i++)
        for (node *n = before[i], *after; n; n = after) {
            after = n->in_bucket;
            n->in_bucket = buckets[n->hash & (capacity - 1)];
            buckets[n->hash & (capacity - 1)] = n;
        }
    l->buckets = buckets;
    l->capacity = capacity;
    return 1;
}

/* Node of a layer with this content, added if it is new; null if there is no memory. */
static node *node_of(run *r, layer *l, const cell *content, int cells, int outcomes) {
    uint64_t hash = (uint64_t)outcomes;
    for (int i = 0; i < cells; i++)
        hash = (hash ^ (uint64_t)content[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
    hash ^= hash >> 32;
    for (node *n = l->buckets[hash & (l->capacity - 1)]; n; n = n->in_bucket) {
        int i = n->hash == hash && n->outcomes == outcomes ? 0 : cells + 1;
        while (i < cells && n->content[i] == content[i])
            i++;
        if (i == cells)
            return n;
    }
    if (l->nodes == l->capacity && !widen(r, l))
        return 0;
    node *n = room_of(r, l, sizeof(node) + (uint64_t)cells * sizeof(cell));
    if (!n)
        return 0;
    copy_cells(n->content, content, cells);
    n->hash = hash;
    n->outcomes = outcomes;
    n->number = 0;
    n->counted = 0;
    n->in_bucket = l->buckets[hash & (l->capacity - 1)];
    l->buckets[hash & (l->capacity - 1)] = n;
    l->nodes++;
    return n;
}

static inline node *node_at(const outcome *o) { return (node *)(intptr_t)o->to; }

/* Roll with these outcomes. */
static node *roll_of(run *r, layer *l, const outcome *outcomes, int count) {
    return node_of(r, l, (const cell *)outcomes, 2 * count, count);
}

/* Add histories to a node. */
static void lead_to(layer *l, node *n, courses number) {
    if (!n->counted) {
        n->counted = 1;
        n->next = l->first;
        l->first = n;
        l->counted++;
    }
    n->number += number;
}

/* Add an outcome to a roll. */
static int add_outcome(outcome *outcomes, int count, const node *to, cell weight) {
    for (int i = 0; i < count; i++)
        if (node_at(&outcomes[i]) == to) {
            outcomes[i].weight += weight;
            return count;
        }
    outcomes[count].to = (intptr_t)to;
    outcomes[count].weight = weight;
    return count + 1;
}

/* Copy a node with its outcomes to another layer. */
static node *moved(run *r, layer *l, const node *n) {
    if (!n->outcomes)
        return node_of(r, l, n->content, SIZE, 0);
    uint64_t used = r->used;
    outcome *outcomes = more_room(r, (uint64_t)n->outcomes * sizeof(outcome));
    const outcome *old = (const outcome *)n->content;
    for (int i = 0; outcomes && i < n->outcomes; i++) {
        node *to = moved(r, l, node_at(&old[i]));
        if (!to)
            return 0;
        outcomes[i].to = (intptr_t)to;
        outcomes[i].weight = old[i].weight;
    }
    node *made = outcomes ? roll_of(r, l, outcomes, n->outcomes) : 0;
    r->used = used;
    return made;
}

/* Successor of the cells before a run: a position, or with chance a roll.  Null if the run stops. */
static node *outcome_of(run *r, layer *l, const cell *before, int chance, int32_t *script, int32_t rolled) {
    copy_cells(S, before, SIZE);
    r->dice = chance ? SCRIPTED : OWN_DICE;
    r->script = script;
    r->answers = rolled;
    r->rolls = 0;
    do
        run_on(r);
    while (!r->stopped && S[AT_DECISION] == READY);
    if (!r->stopped)
        return node_of(r, l, S, SIZE, 0);
    if (r->stopped != DICE_OPEN)
        return 0;
    int sides = r->sides, count = 0;
    uint64_t used = r->used;
    outcome *outcomes = more_room(r, (uint64_t)sides * sizeof(outcome));
    int32_t *longer = more_room(r, ((uint64_t)rolled + 1) * sizeof(int32_t));
    if (!outcomes || !longer)
        return 0;
    for (int i = 0; i < rolled; i++)
        longer[i] = script[i];
    for (int answer = 0; answer < sides; answer++) {
        r->stopped = NOT_STOPPED; /* the roll has been expanded */
        if (!goes_on(r))
            return 0;
        longer[rolled] = answer;
        node *to = outcome_of(r, l, before, chance, longer, rolled + 1);
        if (!to)
            return 0;
        count = add_outcome(outcomes, count, to, 1);
    }
    node *made = roll_of(r, l, outcomes, count);
    r->used = used;
    return made;
}

/* Add all successors of the nodes of a layer to the next layer. */
static int step_on(run *r, const layer *now, layer *next, int chance) {
    for (const node *n = now->first; n; n = n->next) {
        if (!goes_on(r))
            return 0;
        if (n->outcomes) {
            const outcome *outcomes = (const outcome *)n->content;
            for (int i = 0; i < n->outcomes; i++) {
                node *to = moved(r, next, node_at(&outcomes[i]));
                if (!to)
                    return 0;
                lead_to(next, to, n->number);
            }
            continue;
        }
        if (n->content[AT_DECISION] == OVER)
            continue;
        copy_cells(S, n->content, SIZE);
        list(r);
        if (r->stopped)
            return 0;
        uint64_t used = r->used;
        int count = r->count;
        int32_t *options = more_room(r, (uint64_t)count * ROW * sizeof(int32_t));
        cell *before = more_room(r, SIZE * sizeof(cell));
        if (!options || !before)
            return 0;
        for (int64_t i = 0; i < (int64_t)count * ROW; i++)
            options[i] = r->options[i];
        for (int i = 0; i < count; i++) {
            copy_cells(S, n->content, SIZE);
            choose(r, options + (int64_t)i * ROW, 0);
            copy_cells(before, S, SIZE);
            node *to = outcome_of(r, next, before, chance, 0, 0);
            if (!to)
                return 0;
            lead_to(next, to, n->number);
        }
        r->used = used;
    }
    return 1;
}

/* Result for one depth: histories (low and high 64 bits), nodes, and finished histories. */
typedef struct { uint64_t courses[2], different, over[2]; } level;

static level level_of(const layer *l) {
    courses all = 0, over = 0;
    for (const node *n = l->first; n; n = n->next) {
        all += n->number;
        if (!n->outcomes && n->content[AT_DECISION] == OVER)
            over += n->number;
    }
    level found = {{(uint64_t)all, (uint64_t)(all >> 64)}, l->counted, {(uint64_t)over, (uint64_t)(over >> 64)}};
    return found;
}

/* Write the levels from 0 to `depth`, fewer if all games are over; their number is written into `made`. */
SHOWN int game_perft(run *r, uint64_t seed, int depth, int chance, level *levels, int32_t *made) {
    uint64_t used = r->used, half = (r->size - r->used) / 8 * 3;
    r->stopped = NOT_STOPPED;
    layer layers[2] = {{more_room(r, half), half, 0, 0, 0, 0, 0, 0}, {more_room(r, half), half, 0, 0, 0, 0, 0, 0}};
    layer *now = &layers[0], *next = &layers[1], *other;
    cell *before = more_room(r, SIZE * sizeof(cell));
    node *first = 0;
    *made = 0;
    if (before && empty(r, now, 1024)) {
        start(r, seed);
        copy_cells(before, S, SIZE);
        first = outcome_of(r, now, before, chance, 0, 0);
    }
    if (first) {
        lead_to(now, first, 1);
        for (int i = 0; i <= depth; i++) {
            level found = levels[(*made)++] = level_of(now);
            if (i == depth || (found.courses[0] == found.over[0] && found.courses[1] == found.over[1]))
                break;
            if (!empty(r, next, 1024) || !step_on(r, now, next, chance))
                break;
            other = now;
            now = next;
            next = other;
        }
    }
    r->dice = OWN_DICE;
    r->used = used;
    return r->stopped;
}
