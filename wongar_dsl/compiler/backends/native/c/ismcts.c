/* Determinization and tree search, with the same results as determinize.py and ismcts.py. */

typedef const int32_t *plan;

/* Encoded `VisibilityMask` of a seat: the seat, whether the game has no hidden information, and offsets of the hidden zones, of
   the cells visible to it and each seat, and of the zones that it looks through at each decision. */
enum { SIGHT_SEAT, SIGHT_COMPLETE, SIGHT_UNSEEN, SIGHT_SHOWN, SIGHT_OPENED = SIGHT_SHOWN + SEATS };
/* Zone in an encoded sight: kind, address, width, and number and list of items that it never contains. */
enum { ZONE_KIND, ZONE_AT, ZONE_WIDTH, ZONE_NEVERS, ZONE_NEVER };

static inline plan after_zone(plan zone) { return zone + ZONE_NEVER + zone[ZONE_NEVERS]; }

/* ---- zones (see containers.py) ---- */

static cell size_of(const run *r, plan zone) {
    const cell *at = S + zone[ZONE_AT];
    cell found = 0;
    switch (zone[ZONE_KIND]) {
    case TOKENS:
        for (int i = 0; i < zone[ZONE_WIDTH]; i++)
            found += at[i];
        return found;
    case SLOT:
        return at[0] >= 0;
    default:
        return at[0];
    }
}

/* Append the content of a zone to a pool; returns the size of the pool. */
static int things_of(const run *r, plan zone, int32_t *pool, int size) {
    const cell *at = S + zone[ZONE_AT];
    int counts = zone[ZONE_KIND] == HEAP;
    switch (zone[ZONE_KIND]) {
    case TOKENS:
    case HEAP:
        for (int i = counts; i < zone[ZONE_WIDTH]; i++)
            for (cell n = at[i]; n > 0; n--)
                pool[size++] = i - counts;
        break;
    case SLOT:
        if (at[0] >= 0)
            pool[size++] = (int32_t)at[0];
        break;
    default:
        for (cell i = 1; i <= at[0]; i++)
            pool[size++] = (int32_t)at[i];
    }
    return size;
}

static void lay_out(run *r, plan zone, const int32_t *things, int size) {
    cell *at = S + zone[ZONE_AT];
    int width = zone[ZONE_WIDTH], counts = zone[ZONE_KIND] == HEAP;
    for (int i = 0; i < width; i++)
        at[i] = 0;
    switch (zone[ZONE_KIND]) {
    case TOKENS:
    case HEAP:
        for (int i = 0; i < size; i++)
            at[counts + things[i]]++;
        if (counts)
            at[0] = size;
        break;
    case SLOT:
        at[0] = size ? things[0] : -1;
        break;
    default:
        at[0] = size;
        for (int i = 0; i < size; i++)
            at[1 + i] = things[i];
    }
}

/* ---- determinization ---- */

static inline uint64_t next_seed(stream *s) {
    s->counter += s->step;
    return mix(s->counter);
}

/* Set the random streams to those of sampled worlds, at a seed. */
static void draw_from(run *r, uint64_t seed) {
    stream setup = stream_of(seed, FOR_WORLD_SETUP, 0, 0), play = stream_of(seed, FOR_WORLD_PLAY, 0, 0);
    int waits = S[AT_PLAY_CHANCE] != 0;
    S[AT_STEP] = (cell)play.step;
    S[AT_CHANCE] = (cell)(waits ? setup.counter : play.counter);
    S[AT_PLAY_CHANCE] = waits ? (cell)play.counter : 0;
}

static int is_never(plan zone, int32_t thing) {
    for (int i = 0; i < zone[ZONE_NEVERS]; i++)
        if (zone[ZONE_NEVER + i] == thing)
            return 1;
    return 0;
}

/* Bipartite matching of items to slots in zones. */
typedef struct {
    int count;
    const int32_t *pool;
    plan *zone;      /* zone of each slot */
    int32_t *holder; /* slot of each item, -1 if none */
    uint8_t *tried;
} table;

static int settle(table *t, int seat) {
    for (int n = 0; n < t->count; n++)
        if (!t->tried[n] && !is_never(t->zone[seat], t->pool[n])) {
            t->tried[n] = 1;
            if (t->holder[n] < 0 || settle(t, t->holder[n])) {
                t->holder[n] = seat;
                return 1;
            }
        }
    return 0;
}

/* Match items to slots, most restricted slots first; 0 if it is impossible. */
static int seated(run *r, table *t, int32_t *hands) {
    int most = 0;
    for (int i = 0; i < t->count; i++)
        most = t->zone[i][ZONE_NEVERS] > most ? t->zone[i][ZONE_NEVERS] : most;
    t->holder = more_room(r, (uint64_t)t->count * sizeof(int32_t));
    t->tried = more_room(r, (uint64_t)t->count);
    if (!t->holder || !t->tried)
        return 0;
    for (int i = 0; i < t->count; i++)
        t->holder[i] = -1;
    for (; most >= 0; most--)
        for (int seat = 0; seat < t->count; seat++)
            if (t->zone[seat][ZONE_NEVERS] == most) {
                for (int i = 0; i < t->count; i++)
                    t->tried[i] = 0;
                if (!settle(t, seat))
                    return 0;
            }
    for (int n = 0; n < t->count; n++)
        hands[t->holder[n]] = t->pool[n];
    return 1;
}

/* Redistribute the hidden items of one type over their zones; returns the end of this part of the sight. */
static plan deal_out(run *r, plan sort, stream *luck) {
    uint64_t used = r->used;
    int zones = *sort++, hard = 0;
    cell all = 0;
    plan zone = sort;
    for (int i = 0; i < zones; i++, zone = after_zone(zone)) {
        all += size_of(r, zone);
        hard |= zone[ZONE_NEVERS] && size_of(r, zone);
    }
    plan end = zone;
    int32_t *pool = more_room(r, (uint64_t)all * sizeof(int32_t));
    int32_t *hands = more_room(r, (uint64_t)all * sizeof(int32_t));
    plan *places = more_room(r, (uint64_t)all * sizeof(plan));
    if (!pool || !hands || !places)
        return end;
    int size = (int)all; /* pool and hands have room for this number */
    table t = {size, pool, places, 0, 0};
    int held = 0, seat = 0;
    zone = sort;
    for (int i = 0; i < zones; i++, zone = after_zone(zone)) {
        held = things_of(r, zone, pool, held);
        for (; seat < held; seat++)
            t.zone[seat] = zone;
    }
    for (int i = 1; i < size; i++) {
        int32_t thing = pool[i];
        int place = i;
        for (; place > 0 && pool[place - 1] > thing; place--)
            pool[place] = pool[place - 1];
        pool[place] = thing;
    }
    for (int i = size; i > 1; i--) {
        int other = (int)below(luck, i);
        int32_t thing = pool[i - 1];
        pool[i - 1] = pool[other];
        pool[other] = thing;
    }
    const int32_t *dealt = hard ? hands : pool;
    if (!hard || seated(r, &t, hands)) {
        zone = sort;
        for (int i = 0; i < zones; i++, zone = after_zone(zone)) {
            int wanted = (int)size_of(r, zone);
            lay_out(r, zone, dealt, wanted);
            dealt += wanted;
        }
    }
    r->used = used;
    return end;
}

/* Random time for a hidden choice. */
static cell any_time(run *r, cell taken, stream *luck) {
    cell first, last;
    int ends = clock_of(r, S[AT_DECISION], &first, &last);
    if (ends < 0 || r->stopped)
        return taken;
    cell times = (ends ? last : first + MAX_ANSWER_TIME_MS) - first + 1;
    /* A clock may allow more than 2^32 values. */
    return first + (times <= 1 ? 0 : (cell)((unsigned __int128)next_seed(luck) * (uint64_t)times >> 64));
}

/* Replace hidden choices of other seats by random ones. */
static void choose_anew(run *r, int seat, stream *luck) {
    for (int n = 0; n < (int)(sizeof SEALED / sizeof SEALED[0]); n++) {
        const int32_t *sealed = SEALED[n];
        if (S[AT_DECISION] != sealed[0])
            continue;
        int width = sealed[2], asked = sealed[3];
        cell before = S[asked], seat_before = S[AT_SEAT];
        for (int other = 0; other < SEATS; other++) {
            cell *row = S + sealed[1] + other * width;
            if (other == seat || !row[0])
                continue;
            S[asked] = S[AT_SEAT] = other;
            list(r);
            if (r->stopped)
                return;
            if (!r->count)
                continue;
            const int32_t *option = r->options + (int64_t)below(luck, r->count) * ROW;
            int arguments = arguments_of(sealed[0], option[0]);
            row[0] = option[0] + 1;
            row[1] = any_time(r, row[1], luck);
            if (r->stopped)
                return;
            for (int i = 2; i < width; i++)
                row[i] = i - 2 < arguments ? option[i - 1] : 0;
        }
        S[asked] = before;
        S[AT_SEAT] = seat_before;
    }
}

/* Determinize the state; can stop. */
static void deal(run *r, plan sight, stream *luck) {
    r->stopped = NOT_STOPPED;
    draw_from(r, next_seed(luck));
    plan sort = sight + sight[SIGHT_UNSEEN];
    for (int n = *sort++; n > 0 && !r->stopped; n--)
        sort = deal_out(r, sort, luck);
    if (!r->stopped)
        choose_anew(r, sight[SIGHT_SEAT], luck);
}

/* ---- integer roots and logarithms ---- */

static uint64_t root(uint64_t n) {
    uint64_t found = 0, bit = (uint64_t)1 << 62;
    while (bit > n)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (n >= found + bit) {
            n -= found + bit;
            found = (found >> 1) + bit;
        } else
            found >>= 1;
    }
    return found;
}
/* No compiler built-in, because on some machines it calls a library function. */
static uint64_t root_of_logarithm(uint32_t n) {
    int bits = 0;
    while (n >> bits > 1)
        bits++;
    int step = (int)(bits >= 8 ? n >> (bits - 8) : n << (8 - bits)) - 256;
    return root(((uint64_t)bits * ONE + LOGARITHMS[step]) * LN2);
}
static uint64_t part_of_root(uint32_t n) { return root(((uint64_t)1 << 48) / n); }

static inline uint64_t fold(uint64_t found, uint64_t value) { return (found ^ value) * GOLDEN + (found >> 29); }

/* ---- tree ---- */

/* Values and win shares of a game for each seat. */
typedef struct { int32_t values[SEATS], shares[SEATS]; } result;
/* Statistics of a choice in an information set; or, without hidden information, data of a node: number of choices
   (`visits`), of proven choices (`available`), and the best result.  Key 0 marks an empty entry. */
typedef struct {
    uint64_t key;
    int64_t value, share;
    uint32_t visits, available, part_of_root;
    int32_t certain; /* index of a result, -1 for none */
} edge;
typedef struct {
    uint64_t node, edge;
    int32_t seat, sure;
} taken;
/* Range of options that form one choice. */
typedef struct part {
    int32_t first, end;
    uint64_t key;
} part;
typedef struct {
    edge *edges;
    uint64_t capacity, count;
    result *results;
    int32_t kept, room_for;
    taken way[MAX_PATH];
    int length, most;
    struct part *parts; /* room for the choices of a node */
    plan sight;
    int settled;
} tree;
enum { NODE_KEY = 0x5DEECE66 };

static edge *found_at(tree *t, uint64_t key) {
    key |= !key;
    uint64_t place = key & (t->capacity - 1);
    while (t->edges[place].key && t->edges[place].key != key)
        place = (place + 1) & (t->capacity - 1);
    return t->edges + place;
}
static edge *known(tree *t, uint64_t key) {
    edge *found = found_at(t, key);
    return found->key ? found : 0;
}

static int make_table(run *r, tree *t, uint64_t capacity) {
    edge *before = t->edges;
    uint64_t size = t->capacity;
    t->edges = more_room(r, capacity * sizeof(edge));
    if (!t->edges)
        return 0;
    t->capacity = capacity;
    for (uint64_t i = 0; i < capacity; i++)
        t->edges[i].key = 0;
    for (uint64_t i = 0; i < size; i++)
        if (before[i].key)
            *found_at(t, before[i].key) = before[i];
    return 1;
}

/* Add an entry for a new key; null if there is no memory. */
static edge *added(run *r, tree *t, uint64_t key) {
    if (2 * t->count >= t->capacity && !make_table(r, t, 2 * t->capacity))
        return 0;
    edge *made = found_at(t, key);
    edge empty = {key | !key, 0, 0, 0, 1, 0, -1};
    *made = empty;
    t->count++;
    return made;
}

/* Hash of the information set at this depth. */
static uint64_t look(const run *r, plan sight, int depth) {
    cell seat = S[AT_SEAT];
    uint64_t found = fold(fold(fold(3, (uint64_t)S[AT_DECISION]), (uint64_t)seat), (uint64_t)depth);
    plan shown = sight + sight[SIGHT_SHOWN + seat];
    plan sizes = shown + 1 + 2 * shown[0];
    for (int n = *shown++; n > 0; n--, shown += 2)
        for (int i = shown[0]; i < shown[1]; i++)
            found = fold(found, (uint64_t)S[i]);
    if (seat == sight[SIGHT_SEAT]) {
        plan opened = sight + sight[SIGHT_OPENED + S[AT_DECISION]];
        for (int n = *opened++; n > 0; n--, opened += 2)
            for (int i = opened[0]; i < opened[1]; i++)
                found = fold(found, (uint64_t)S[i]);
    }
    for (int n = *sizes++; n > 0; n--, sizes = after_zone(sizes))
        found = fold(found, (uint64_t)size_of(r, sizes));
    return mix(found);
}

/* Choices among a range of options, by arguments from `column` on; returns their number and updates the column. */
static int parts_of(const run *r, uint64_t node, int first, int end, int *column, part *parts) {
    if (r->count <= GROUPED) {
        if (*column)
            return 0;
        *column = 1;
        for (int n = 0; n < r->count; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            int arguments = arguments_of(S[AT_DECISION], option[0]);
            uint64_t number = (uint64_t)arguments + 1;
            for (int i = 0; i <= arguments; i++)
                number = fold(number, (uint64_t)(int64_t)option[i]);
            parts[n].first = n;
            parts[n].end = n + 1;
            parts[n].key = mix(node + number);
        }
        return r->count;
    }
    while (*column < ROW) {
        int count = 0;
        int64_t before = 0;
        for (int n = first; n < end; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            int64_t value = *column <= arguments_of(S[AT_DECISION], option[0]) ? option[*column] : -2;
            if (n == first || value != before) {
                parts[count].first = n;
                parts[count].key = mix(node + fold(fold(2, (uint64_t)*column + 1), (uint64_t)value));
                count++;
            }
            parts[count - 1].end = n + 1;
            before = value;
        }
        ++*column;
        if (count > 1)
            return count;
    }
    return 0;
}

/* Random untried choice, or the one with the greatest upper confidence bound. */
static int best_of(tree *t, const part *parts, int count, cell seat, stream *luck) {
    int fresh = 0, best = 0;
    int64_t most = -1;
    uint64_t available = 0, curiosity = 0;
    for (int i = 0; i < count; i++) {
        edge *e = known(t, parts[i].key);
        if (!e || !e->visits) {
            if (below(luck, ++fresh) == 0)
                best = i;
            continue;
        }
        e->available++;
        if (fresh)
            continue;
        int64_t promise;
        if (e->certain >= 0)
            promise = t->results[e->certain].values[seat];
        else {
            if (e->available != available) {
                available = e->available;
                curiosity = EXPLORATION * root_of_logarithm(e->available) >> 16;
            }
            promise = e->value / e->visits + (int64_t)(curiosity * e->part_of_root >> 24);
        }
        if (promise > most) {
            best = i;
            most = promise;
        }
    }
    return best;
}

/* Option to take; `fresh` is set if its choice is new.  Returns -1 at a proven choice. */
static int chosen(run *r, tree *t, int depth, part *parts, stream *luck, int *fresh) {
    uint64_t node = look(r, t->sight, depth);
    int column = 0, first = 0, end = r->count;
    for (;;) {
        int count = parts_of(r, node, first, end, &column, parts);
        if (!count)
            return first;
        part *p = parts + best_of(t, parts, count, S[AT_SEAT], luck);
        edge *e = known(t, p->key);
        *fresh = !e || !e->visits;
        if (!e) {
            e = added(r, t, p->key);
            if (e && t->sight[SIGHT_COMPLETE] && !known(t, node + NODE_KEY)) {
                edge *about = added(r, t, node + NODE_KEY);
                if (!about)
                    return first;
                about->visits = (uint32_t)count;
                about->available = 0;
                e = known(t, p->key);
            }
            if (!e)
                return first;
        }
        taken one = {node, p->key, (int32_t)S[AT_SEAT], 1};
        t->way[t->length++] = one;
        if (e->certain >= 0)
            return -1;
        node = p->key;
        first = p->first;
        end = p->end;
        if (*fresh)
            return first + (int)below(luck, end - first);
        if (t->length == MAX_PATH)
            return first;
    }
}

/* Values of a game: mainly the win share, and partly the lead in score. */
static result result_of(const run *r) {
    result found;
    int winners = 0;
    for (int p = 0; p < SEATS; p++)
        winners += S[AT_DECISION] == OVER && S[AT_WINNERS] >> p & 1;
    for (int p = 0; p < SEATS; p++)
        found.shares[p] = !winners ? ONE / SEATS : S[AT_WINNERS] >> p & 1 ? ONE / winners : 0;
    if (!SCORED) {
        for (int p = 0; p < SEATS; p++)
            found.values[p] = found.shares[p];
        return found;
    }
    cell scores[SEATS], spread = 1;
    for (int p = 0; p < SEATS; p++) {
        scores[p] = FEWEST ? -S[SCORES[p]] : S[SCORES[p]];
        spread = max_of(spread, scores[p] < 0 ? -scores[p] : scores[p]);
    }
    for (int p = 0; p < SEATS; p++) {
        cell rival = 0;
        int rivals = 0;
        for (int other = 0; other < SEATS; other++)
            if (other != p)
                rival = rivals++ ? max_of(rival, scores[other]) : scores[other];
        cell lead = max_of(-ONE, min_of(ONE, floor_div((scores[p] - rival) * ONE, spread)));
        found.values[p] = (int32_t)((found.shares[p] * SHARE + (ONE + lead) / 2 * (8 - SHARE)) / 8);
    }
    return found;
}

static void learn(tree *t, const result *found) {
    for (int i = 0; i < t->length; i++) {
        edge *e = known(t, t->way[i].edge);
        e->visits++;
        e->value += found->values[t->way[i].seat];
        e->share += found->shares[t->way[i].seat];
        e->part_of_root = (uint32_t)part_of_root(e->visits);
    }
}

/* Proven result of a node at which a seat chooses; -1 if there is none. */
static int32_t settled_at(tree *t, uint64_t node, int seat) {
    const edge *about = known(t, node + NODE_KEY);
    int sure = about && about->certain >= 0
        && (about->available == about->visits || t->results[about->certain].shares[seat] == ONE);
    return sure ? about->certain : -1;
}

/* Propagate a proven result back along the path. */
static void settle_way(tree *t, int length, int32_t found) {
    if (!t->sight[SIGHT_COMPLETE])
        return;
    for (int i = length - 1; i >= 0; i--) {
        taken *one = t->way + i;
        edge *e = known(t, one->edge), *about = known(t, one->node + NODE_KEY);
        if (found < 0 || !one->sure || e->certain >= 0)
            return;
        e->certain = found;
        about->available++;
        if (about->certain < 0 || t->results[found].values[one->seat] > t->results[about->certain].values[one->seat])
            about->certain = found;
        found = settled_at(t, one->node, one->seat);
    }
    t->settled = found >= 0;
}

/* Store a result and return its index; -1 if there is no memory. */
static int32_t keep(run *r, tree *t, const result *found) {
    if (t->kept == t->room_for) {
        const result *before = t->results;
        int32_t most = t->room_for ? 2 * t->room_for : 256;
        t->results = more_room(r, (uint64_t)most * sizeof(result));
        if (!t->results)
            return -1;
        for (int32_t i = 0; i < t->kept; i++)
            t->results[i] = before[i];
        t->room_for = most;
    }
    t->results[t->kept] = *found;
    return t->kept++;
}

/* Return whether there is memory for a choice per option. */
static int room_for_parts(run *r, tree *t) {
    if (t->most < r->count) {
        t->most = 2 * r->count;
        t->parts = more_room(r, (uint64_t)t->most * sizeof(part));
    }
    return t->parts != 0;
}

/* Run one iteration from the state, whose options are not listed. */
static void try_out(run *r, tree *t, stream *luck) {
    int depth = 0, fresh = 0;
    t->length = 0;
    list(r);
    while (!r->stopped && r->count && !fresh && t->length < MAX_PATH) {
        int number = 0;
        if (r->count > 1 && room_for_parts(r, t))
            number = chosen(r, t, depth, t->parts, luck, &fresh);
        if (r->stopped)
            return;
        if (number < 0) {
            taken *last = t->way + t->length - 1;
            const edge *e = known(t, last->edge);
            learn(t, t->results + e->certain);
            settle_way(t, t->length - 1, settled_at(t, last->node, last->seat));
            return;
        }
        cell chance = S[AT_CHANCE], play = S[AT_PLAY_CHANCE];
        choose(r, r->options + (int64_t)number * ROW, 0);
        advance(r);
        if (t->length && (S[AT_CHANCE] != chance || S[AT_PLAY_CHANCE] != play))
            t->way[t->length - 1].sure = 0;
        depth++;
    }
    int over = !r->count;
    if (!r->stopped && !over)
        play_on(r, luck, MAX_GAME);
    if (r->stopped)
        return;
    result found = result_of(r);
    learn(t, &found);
    if (over && t->sight[SIGHT_COMPLETE] && !r->stopped) {
        int32_t number = keep(r, t, &found);
        if (number >= 0)
            settle_way(t, t->length, number);
    }
}

/* Random playouts after each of the options, all with the same random numbers: rows of the winners as bits and the
   scores. */
SHOWN int game_outcomes(run *r, const int32_t *options, int32_t count, uint64_t seed, int64_t limit, int64_t *found) {
    uint64_t used = r->used;
    cell *before = more_room(r, SIZE * sizeof(cell));
    r->stopped = before ? NOT_STOPPED : NO_ROOM;
    if (before)
        copy_cells(before, S, SIZE);
    for (int n = 0; before && n < count; n++) {
        stream luck = stream_of(seed, FOR_SAMPLING, 0, 0);
        copy_cells(S, before, SIZE);
        choose(r, options + (int64_t)n * ROW, 0);
        advance(r);
        if (!r->stopped)
            play_on(r, &luck, limit);
        if (r->stopped)
            break;
        *found++ = S[AT_DECISION] == OVER ? S[AT_WINNERS] : 0;
        for (int p = 0; p < SEATS; p++)
            *found++ = SCORED ? S[SCORES[p]] : 0;
    }
    r->used = used;
    return r->stopped;
}

SHOWN int game_deal(run *r, plan sight, stream *luck) {
    deal(r, sight, luck);
    return r->stopped;
}

/* Search statistics of an option; `sure` is -1 if nothing is proven. */
typedef struct { int64_t visits, value, share, sure, sure_share; } tried;

/* Run iterations of the tree search; 0: until cancelled or out of memory.  `worlds` are `count` states that look the
   same, used in turn; if there are none, worlds are sampled.  Writes a row for each option into `found`. */
SHOWN int game_weigh(run *r, plan sight, const cell *worlds, int32_t count, int64_t iterations, uint64_t seed,
                       tried *found) {
    uint64_t used = r->used;
    stream luck = stream_of(seed, FOR_SAMPLING, 0, 0);
    cell *before = more_room(r, SIZE * sizeof(cell));
    tree *t = more_room(r, sizeof(tree));
    if (!before || !t) {
        r->used = used;
        return NO_ROOM;
    }
    r->stopped = NOT_STOPPED;
    t->edges = 0;
    t->parts = 0;
    t->most = 0;
    t->capacity = t->count = 0;
    t->results = 0;
    t->kept = t->room_for = t->settled = 0;
    t->sight = sight;
    copy_cells(before, S, SIZE);
    if (!make_table(r, t, 1024)) {
        r->used = used;
        return r->stopped;
    }
    for (int64_t n = 0; (!iterations || n < iterations) && !t->settled; n++) {
        r->stopped = NOT_STOPPED;
        if (!goes_on(r))
            break;
        if (count) {
            copy_cells(S, worlds + n % count * SIZE, SIZE);
            draw_from(r, next_seed(&luck));
        } else {
            copy_cells(S, before, SIZE);
            deal(r, sight, &luck);
        }
        if (!r->stopped)
            try_out(r, t, &luck);
        if (r->stopped == NO_ROOM || r->stopped == HALTED)
            break;
    }
    copy_cells(S, before, SIZE);
    if (r->stopped == NO_ROOM && iterations) {
        r->used = used;
        return NO_ROOM;
    }
    list(r);
    uint64_t top = look(r, sight, 0);
    for (int option = 0; !r->stopped && room_for_parts(r, t) && option < r->count; option++) {
        uint64_t node = top;
        int column = 0, first = 0, end = r->count, n;
        const edge *e = 0;
        while ((n = parts_of(r, node, first, end, &column, t->parts))) {
            const part *p = t->parts;
            while (option >= p->end)
                p++;
            node = p->key;
            first = p->first;
            end = p->end;
            e = known(t, node);
        }
        tried row = {0, 0, 0, -1, 0};
        if (e) {
            row.visits = e->visits;
            row.value = e->value;
            row.share = e->share;
            if (e->certain >= 0) {
                row.sure = t->results[e->certain].values[sight[SIGHT_SEAT]];
                row.sure_share = t->results[e->certain].shares[sight[SIGHT_SEAT]];
            }
        }
        found[option] = row;
    }
    r->used = used;
    return r->stopped;
}
