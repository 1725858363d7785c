/* Random games, with what makes a game counted: rows of numbers and their sums, as lab/columns.py says what they are.
   Only programs with marks have this. */

typedef __int128 wide;

/* What to count, as numbers: how many choices, origins and parts there are; a whole win; who leads, if anybody can; the
   bins; how long bots take; then, for each option of each decision, where it stands in what follows which choice it is, how many of its
   arguments count, and for each of these its place in the option and the choice of its first value. */
enum {
    PLAN_WIDTH, PLAN_CHOICES, PLAN_ORIGINS, PLAN_WHOLE, PLAN_LEADS, PLAN_FEWEST, PLAN_PARTS, PLAN_EXACT, PLAN_OCTAVES,
    PLAN_PACE_LOW, PLAN_PACE_HIGH, PLAN_NO_END, PLAN_SLOTS
};
enum { LENGTHS, POINTS, GAPS, CHANGES, DECIDED, SPREADS };
enum { TOOK, DECLINED, GROUPS };
enum { PLAYERS, SHARES, SHARES_SQUARED, SCORED_POINTS, POINTS_SQUARED, GROUP };

/* The sums of many games; `groups` has for each choice those who took it and those who declined it, `bins` those of
   each spread, `rows` a row for each game, where they are wanted. */
typedef struct {
    int64_t games, ended;
    wide *sums, *squares, *groups;
    int64_t *bins, *least, *most, *marks, *lengths, *rows;
} tally;

/* One game. */
typedef struct {
    plan what;
    int32_t *offered, *taken, *forced; /* by choice */
    int32_t *listed, *chosen;          /* by choice: at which decision that was so at last */
    uint8_t *had, *took;               /* by seat and choice */
    int8_t *leaders;                   /* at first and after each decision: who leads alone, -1 for nobody */
    int64_t *gaps, *row;
    int64_t length, changes;
    int starter, last;
    int64_t *sums, *squares, *groups; /* of small numbers: added to the tally every now and then */
    int64_t *scrap;                   /* as wide as both of the first */
    int64_t small;                    /* how many games they are of */
} counting;
/* Numbers up to SMALL are small; their squares add up in 64 bits for OFTEN games. */
enum { SMALL = 1 << 20, OFTEN = 1 << 20 };

static int place_of(plan what, int64_t value) {
    int exact = what[PLAN_EXACT], octaves = what[PLAN_OCTAVES], side = exact + octaves * (exact / 2);
    int64_t size = value < 0 ? -value - 1 : value;
    int64_t place = size;
    if (size >= (int64_t)exact << octaves)
        place = side - 1;
    else if (size >= exact) {
        int octave = __builtin_clz((uint32_t)exact) - __builtin_clz((uint32_t)size);
        place = exact + octave * (exact / 2) + ((size >> (octave + 1)) - exact / 2);
    }
    return (int)(value < 0 ? side - 1 - place : side + place);
}

static void spread(tally *t, plan what, int number, int64_t value) {
    int bins = 2 * (what[PLAN_EXACT] + what[PLAN_OCTAVES] * (what[PLAN_EXACT] / 2));
    t->bins[number * bins + place_of(what, value)]++;
    t->least[number] = min_of(t->least[number], value);
    t->most[number] = max_of(t->most[number], value);
}

/* Whether a decision asks for a solution: then one is taken where there is one, and with arguments. */
static int solved_only(const run *r, int *count) {
    *count = 0;
    if (!SOLVES[S[AT_DECISION]])
        return 0;
    for (int n = 0; n < r->count; n++)
        *count += arguments_of(S[AT_DECISION], r->options[(int64_t)n * ROW]) > 0;
    return *count > 0;
}

/* A bot that takes any option: the number of it. */
static int any_option(const run *r, stream luck) {
    int solutions;
    if (!solved_only(r, &solutions))
        return (int)below(&luck, r->count);
    int left = (int)below(&luck, solutions), n = 0;
    for (;; n++)
        if (arguments_of(S[AT_DECISION], r->options[(int64_t)n * ROW]) > 0 && !left--)
            return n;
}

/* How long it takes, in milliseconds: nothing where no clock runs. */
static cell any_pace(run *r, plan what, stream luck) {
    cell first, last;
    int ends = clock_of(r, S[AT_DECISION], &first, &last);
    if (ends < 0 || r->stopped)
        return 0;
    cell end = ends ? last : what[PLAN_NO_END], part = end - first;
    cell low = what[PLAN_PACE_LOW], high = what[PLAN_PACE_HIGH];
    if (!SOLVES[S[AT_DECISION]]) {
        low /= 12;
        high /= 25;
        part = end;
    }
    cell span = floor_div((high - low) * part, 1000), sum = 0;
    for (int i = 0; i < 3; i++)
        sum += below(&luck, span + 1);
    return floor_div(low * part, 1000) + sum / 3;
}

static inline void list_choice(counting *g, uint8_t *had, int choice) {
    if (g->listed[choice] != g->length) {
        g->listed[choice] = (int32_t)g->length;
        g->offered[choice]++;
        had[choice] = 1;
    }
}

static inline void take_choice(counting *g, uint8_t *took, int choice, int forced) {
    if (g->chosen[choice] != g->length) {
        g->chosen[choice] = (int32_t)g->length;
        g->taken[choice]++;
        g->forced[choice] += forced;
        took[choice] = 1;
    }
}

/* One of the options that are listed is taken. */
static void count_decision(const run *r, counting *g, int number) {
    cell decision = S[AT_DECISION], seat = S[AT_SEAT];
    if (!g->length++ && !AT_ONCE[decision])
        g->starter = (int)seat;
    plan slots = g->what + PLAN_SLOTS + FIRST_WAY[decision];
    uint8_t *had = g->had + seat * g->what[PLAN_CHOICES], *took = g->took + seat * g->what[PLAN_CHOICES];
    for (int n = 0; n < r->count; n++) {
        const int32_t *option = r->options + (int64_t)n * ROW;
        plan slot = g->what + slots[option[0]];
        list_choice(g, had, slot[0]);
        for (int i = slot[1], at = 2; i > 0; i--, at += 2)
            if (option[slot[at]] >= 0)
                list_choice(g, had, slot[at + 1] + option[slot[at]]);
    }
    const int32_t *option = r->options + (int64_t)number * ROW;
    plan slot = g->what + slots[option[0]];
    take_choice(g, took, slot[0], r->count == 1);
    for (int i = slot[1], at = 2; i > 0; i--, at += 2)
        if (option[slot[at]] >= 0)
            take_choice(g, took, slot[at + 1] + option[slot[at]], r->count == 1);
}

/* A first state, or what follows a decision. */
static void count_state(const run *r, counting *g) {
    if (!g->what[PLAN_LEADS])
        return;
    cell sign = g->what[PLAN_FEWEST] ? -1 : 1, best = sign * S[SCORES[0]], second = 0;
    int leader = 0;
    for (int p = 1; p < SEATS; p++) {
        cell points = sign * S[SCORES[p]];
        if (points > best) {
            second = best;
            best = points;
            leader = p;
        } else if (p == 1 || points > second)
            second = points;
    }
    if (best == second)
        leader = -1;
    g->leaders[g->length] = (int8_t)leader;
    g->gaps[g->length] = best - second;
    if (leader >= 0) {
        g->changes += g->last >= 0 && g->last != leader;
        g->last = leader;
    }
}

/* Add the sums of small numbers to the tally. */
static void add_small(counting *g, tally *t) {
    plan what = g->what;
    for (int n = 0; n < what[PLAN_WIDTH]; n++) {
        t->sums[n] += g->sums[n];
        t->squares[n] += g->squares[n];
        g->sums[n] = g->squares[n] = 0;
    }
    for (int n = 0; n < GROUPS * GROUP * what[PLAN_CHOICES]; n++) {
        t->groups[n] += g->groups[n];
        g->groups[n] = 0;
    }
    g->small = 0;
}

/* Where the numbers of a row go. */
typedef struct { int64_t *row, *sums, *squares; } writer;
static inline void put(writer *w, int64_t value) {
    *w->row++ = value;
    *w->sums++ += value;
    *w->squares++ += (int64_t)((uint64_t)value * (uint64_t)value);
}

/* Add the row of a game that is over. */
static void count_end(const run *r, counting *g, tally *t, plan bots) {
    plan what = g->what;
    int choices = what[PLAN_CHOICES], origins = what[PLAN_ORIGINS], width = what[PLAN_WIDTH], winners = 0, winner = -1;
    int64_t shares[SEATS], points[SEATS], by_bot[2][SEATS], most = what[PLAN_WHOLE];
    for (int p = 0; p < SEATS; p++)
        if (S[AT_WINNERS] >> p & 1) {
            winners++;
            winner = p;
        }
    for (int p = 0; p < SEATS; p++) {
        shares[p] = S[AT_WINNERS] >> p & 1 ? what[PLAN_WHOLE] / winners : 0;
        points[p] = SCORED ? S[SCORES[p]] : 0;
        by_bot[0][p] = by_bot[1][p] = 0;
        most = max_of(most, points[p] < 0 ? -points[p] : points[p]);
    }
    /* Of large numbers the small sums are of no use. */
    int small = most < SMALL / 2;
    int64_t *sums = small ? g->sums : g->scrap;
    writer w = {g->row, sums, sums + width};
    for (int p = 0; p < SEATS; p++) {
        by_bot[0][bots[p]] += shares[p];
        by_bot[1][bots[p]] += points[p];
    }
    for (int p = 0; p < SEATS; p++)
        put(&w, shares[p]);
    for (int p = 0; p < SEATS; p++)
        put(&w, S[AT_WINNERS] >> p & 1);
    for (int p = 0; p < SEATS; p++)
        put(&w, by_bot[0][p]);
    for (int p = 0; p < SEATS; p++)
        put(&w, p == g->starter);
    if (SCORED) {
        for (int p = 0; p < SEATS; p++)
            put(&w, points[p]);
        for (int p = 0; p < SEATS; p++)
            put(&w, by_bot[1][p]);
    }
    put(&w, !winners);
    put(&w, winners > 1);
    put(&w, g->length);
    put(&w, g->starter >= 0 ? shares[g->starter] : 0);
    put(&w, g->starter >= 0 ? S[AT_WINNERS] >> g->starter & 1 : 0);
    if (SCORED)
        put(&w, g->starter >= 0 ? points[g->starter] : 0);
    for (int p = 0; p < SEATS; p++)
        for (int o = 0; o < origins; o++)
            put(&w, S[SCORES[p] + 1 + o]);
    for (int o = 0; o < origins; o++)
        put(&w, g->starter >= 0 ? S[SCORES[g->starter] + 1 + o] : 0);
    spread(t, what, LENGTHS, g->length);
    for (int p = 0; SCORED && p < SEATS; p++)
        spread(t, what, POINTS, points[p]);
    if (winners != 1)
        winner = -1;
    if (what[PLAN_LEADS]) {
        int64_t decided = 1000, at = g->length;
        if (winner >= 0) {
            while (at >= 0 && g->leaders[at] == winner)
                at--;
            decided = min_of(at + 1, g->length) * 1000 / max_of(1, g->length);
            spread(t, what, DECIDED, decided);
        }
        put(&w, g->gaps[g->length]);
        put(&w, g->changes);
        put(&w, winner >= 0);
        put(&w, decided);
        spread(t, what, GAPS, g->gaps[g->length]);
        spread(t, what, CHANGES, g->changes);
        /* After length * part / parts decisions, without dividing for each part. */
        int parts = what[PLAN_PARTS], each = (int)g->length / parts, more = (int)g->length % parts, place = 0, rest = 0;
        writer right = {w.row + parts + 1, w.sums + parts + 1, w.squares + parts + 1};
        for (int part = 0; part <= parts; part++) {
            put(&w, g->gaps[place]);
            put(&right, winner >= 0 && g->leaders[place] == winner);
            place += each;
            rest += more;
            if (rest >= parts) {
                rest -= parts;
                place++;
            }
        }
        w = right;
    }
    for (int c = 0; c < choices; c++)
        put(&w, g->offered[c]);
    for (int c = 0; c < choices; c++)
        put(&w, g->taken[c]);
    for (int c = 0; c < choices; c++)
        put(&w, g->forced[c]);
    for (int n = 0; !small && n < width; n++) {
        t->sums[n] += g->row[n];
        t->squares[n] += (wide)g->row[n] * g->row[n];
    }
    for (int p = 0; p < SEATS; p++)
        for (int c = 0; c < choices; c++) {
            if (!g->had[p * choices + c])
                continue;
            int at = (c * GROUPS + (g->took[p * choices + c] ? TOOK : DECLINED)) * GROUP;
            int64_t *group = g->groups + at;
            group[PLAYERS] += 1;
            group[SHARES] += shares[p];
            group[SHARES_SQUARED] += shares[p] * shares[p];
            if (small) {
                group[SCORED_POINTS] += points[p];
                group[POINTS_SQUARED] += points[p] * points[p];
            } else {
                t->groups[at + SCORED_POINTS] += points[p];
                t->groups[at + POINTS_SQUARED] += (wide)points[p] * points[p];
            }
        }
    if (++g->small == OFTEN)
        add_small(g, t);
}

/* The stream of another seat and number than the first. */
static inline stream further(stream first, uint64_t place) {
    first.counter += place * first.step;
    return first;
}

/* Play one game of a series at random and count it; it is stopped, unfinished, after so many decisions. */
static void count_game(run *r, counting *g, tally *t, uint64_t seed, int64_t limit, plan bots) {
    int choices = g->what[PLAN_CHOICES];
    for (int c = 0; c < choices; c++) {
        g->offered[c] = g->taken[c] = g->forced[c] = g->listed[c] = g->chosen[c] = 0;
    }
    for (int c = 0; c < choices * SEATS; c++)
        g->had[c] = g->took[c] = 0;
    for (int m = 0; m < MARKS; m++)
        r->marks[m] = 0;
    stream bots_luck = stream_of(seed, FOR_BOT, 0, 0), pace = stream_of(seed, FOR_PACE, 0, 0);
    g->length = g->changes = 0;
    g->starter = g->last = -1;
    start(r, seed);
    advance(r);
    if (!r->stopped)
        count_state(r, g);
    while (!r->stopped && r->count && g->length < limit && goes_on(r)) {
        uint64_t place = (uint64_t)S[AT_SEAT] << SEAT_BIT | (uint64_t)g->length << NUMBER_BIT;
        cell time = any_pace(r, g->what, further(pace, place));
        int number = any_option(r, further(bots_luck, place));
        if (r->stopped)
            break;
        count_decision(r, g, number);
        choose(r, r->options + (int64_t)number * ROW, time);
        advance(r);
        if (!r->stopped)
            count_state(r, g);
    }
    if (r->stopped)
        return;
    for (int m = 0; m < MARKS; m++)
        t->marks[m] += r->marks[m];
    t->games++;
    int over = S[AT_DECISION] == OVER;
    if (over) {
        count_end(r, g, t, bots);
        t->ended++;
    }
    if (t->lengths)
        *t->lengths++ = over ? g->length : -1;
    if (t->rows) {
        for (int n = 0; n < g->what[PLAN_WIDTH]; n++)
            t->rows[n] = over ? g->row[n] : 0;
        t->rows += g->what[PLAN_WIDTH];
    }
}

/* Play the games of a series from the first number to before the last one, and add them to a tally.  `bots` are the
   numbers of those on the seats in the list of bots; with `rotate` they move on by one seat with each game. */
SHOWN int game_tally(run *r, plan what, uint64_t seed, int64_t first, int64_t last, int64_t limit, int32_t rotate,
                       tally *t) {
    uint64_t used = r->used;
    int choices = what[PLAN_CHOICES];
    int width = what[PLAN_WIDTH], groups = GROUPS * GROUP * choices;
    counting g;
    g.what = what;
    int32_t *counts = more_room(r, 5 * (uint64_t)choices * sizeof(int32_t));
    g.had = more_room(r, 2 * (uint64_t)choices * SEATS);
    g.leaders = more_room(r, (uint64_t)limit + 1);
    g.gaps = more_room(r, ((uint64_t)limit + 1) * sizeof(int64_t));
    g.row = more_room(r, ((uint64_t)width * 5 + groups) * sizeof(int64_t));
    if (!counts || !g.had || !g.leaders || !g.gaps || !g.row)
        return NO_ROOM;
    g.sums = g.row + width;
    g.squares = g.sums + width;
    g.groups = g.squares + width;
    g.scrap = g.groups + groups;
    for (int n = 0; n < 4 * width + groups; n++)
        g.sums[n] = 0;
    g.small = 0;
    g.offered = counts;
    g.taken = counts + choices;
    g.forced = counts + 2 * choices;
    g.listed = counts + 3 * choices;
    g.chosen = counts + 4 * choices;
    g.took = g.had + choices * SEATS;
    r->stopped = GOES_ON;
    for (int64_t number = first; number < last && !r->stopped; number++) {
        int32_t bots[SEATS];
        for (int seat = 0; seat < SEATS; seat++)
            bots[seat] = rotate ? (int32_t)(((seat - number) % SEATS + SEATS) % SEATS) : seat;
        count_game(r, &g, t, derived(seed, (uint64_t)number), limit, bots);
    }
    add_small(&g, t);
    for (int m = 0; m < MARKS; m++)
        r->marks[m] = t->marks[m] > 0;
    r->used = used;
    return r->stopped;
}

/* The differences of games with the same numbers, in columns that mean the same: how many both finished, the sums and
   the sums of squares, to which they are added. */
SHOWN int64_t game_pairs(const int64_t *one, const int64_t *lengths, int64_t width, const int64_t *other,
                           const int64_t *other_lengths, int64_t other_width, int64_t games, const int32_t *common,
                           int32_t columns, wide *sums, wide *squares) {
    int64_t both = 0;
    for (int64_t n = 0; n < games; n++, one += width, other += other_width) {
        if (lengths[n] < 0 || other_lengths[n] < 0)
            continue;
        both++;
        for (int c = 0; c < columns; c++) {
            int64_t difference = other[common[2 * c + 1]] - one[common[2 * c]];
            sums[c] += difference;
            squares[c] += (wide)difference * difference;
        }
    }
    return both;
}
