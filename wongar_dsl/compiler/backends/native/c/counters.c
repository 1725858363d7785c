/* Statistics of random games: rows of numbers and their sums, as defined in lab/metrics.py.  Only programs with marks
   have this. */

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-tree-loop-distribute-patterns")
#endif

typedef __int128 wide;

/* Encoded metrics: numbers of choices, origins and parts; value of a win; bins; thinking times.  Then, for each option
   of each decision, an offset to: its choice, and for each counted argument its position and the choice of its first
   value; 0 ends the list. */
enum {
    PLAN_WIDTH, PLAN_CHOICES, PLAN_ORIGINS, PLAN_WHOLE, PLAN_PARTS, PLAN_EXACT, PLAN_OCTAVES, PLAN_PACE_LOW,
    PLAN_PACE_HIGH, PLAN_NO_END, PLAN_SLOTS
};
/* 1 if there can be a leader. */
enum { LED = SCORED && SEATS > 1 };

enum { LENGTHS, POINTS, GAPS, CHANGES, DECIDED, ALL_SPREADS };
enum { TOOK, DECLINED, GROUPS };
enum { PLAYERS, SHARES, SHARES_SQUARED, SCORED_POINTS, POINTS_SQUARED, GROUP };

/* Sums of many games.  `groups` has players who took and who declined each choice, `bins` the counts of each spread,
   `rows` a row per game, if requested. */
typedef struct {
    int64_t games, ended;
    wide *sums, *squares, *groups;
    int64_t *bins, *least, *most, *marks, *lengths, *rows;
} tally;

/* Bit set of choices, in words of 64. */
typedef uint64_t *choice_set;

/* Counts of a choice in one game, packed with COUNT_BITS each. */
enum { OFFERED, TAKEN, FORCED, COUNTS };
/* For a choice with small counts, the games with each combination of counts are counted. */
enum { FEW_BITS = 2, FEW = (1 << FEW_BITS) - 1, FEW_COUNTS = 1 << COUNTS * FEW_BITS };

/* Most values are small and are accumulated in histograms of this size: points, and other values. */
enum { NEAR_POINTS = 256, LEAST_NEAR = -64, NEAR = 1024 };
/* Limit of small values.  OFTEN games of them, or of their squares, fit into a part of 64 bits; BYTE games' marks fit
   into bytes. */
enum { SMALL = 1 << 16, OFTEN = (1 << 22) / SEATS, BYTE = 255 };
/* Bit position of a count packed above a sum of small numbers. */
enum { MANY = 40 };

/* Players of a group, until they are added to the tally, by winners (did not win, won alone, won with one other, ...):
   MANY of them with their points, and the squares of these.  The third group has players for whom a choice was never
   listed. */
typedef struct { int64_t many, squares; } of_players;
enum { OWN_GROUP = SEATS + 1, OWN_GROUPS = GROUPS + 1 };
/* Leads in games with fewer decisions than parts, by length and decision instead of part: MANY winners who lead alone
   with the gaps, and the squares of these. */
enum { LEAD_GAP, LEAD_SQUARED, LEADS };

/* Winners and starting player.  Values that depend only on these are added for many games at once.  `turn` is the
   rotation of the bots in seats. */
typedef struct { int turn, starter; cell winners; } ending;

/* With too many seats there would be too many endings. */
enum { ENDINGS_KEPT = SEATS <= 6, SETS = ENDINGS_KEPT ? 1 << SEATS : 1 };
enum { OPENINGS = ENDINGS_KEPT ? SEATS * (SEATS + 1) : 0, ENDINGS = OPENINGS * SETS };

/* Columns of a row; further ones depend on the number of origins. */
enum {
    AT_POINTS = 4 * SEATS, AT_ENTRANTS_POINTS = 5 * SEATS, AT_PLAIN = (SCORED ? 6 : 4) * SEATS,
    AT_LENGTH = AT_PLAIN + 2, AT_STARTERS_POINTS = AT_PLAIN + 5, AT_ORIGINS = AT_PLAIN + 5 + SCORED,
    OF_ENDING = 4 * SEATS + 5
};
/* Columns after those by origin. */
enum { LEAD_AT_END, LEAD_CHANGES, LEAD_DECIDED_GAMES, LEAD_DECIDED, LEAD_PARTS };

/* Gap between the first two, and the sole leader, -1 for none. */
typedef struct { int64_t gap, leader; } standing;

/* Data of the current game, and accumulators of many games. */
typedef struct {
    plan what;
    int exact, side;                    /* number of values with a bin each, and bins above 0 */
    int words;                          /* words of a set of choices */
    int choices, origins;
    int plain;                          /* values of a row that do not belong to choices */
    int leads;                          /* first column of the leads */
    choice_set listed, *had, *took;     /* at one decision; by seat, in the whole game */
    uint64_t *counts;                   /* by choice */
    int64_t *row;                       /* values of a row without choices, if requested */
    standing *standings;                /* at the start and after each decision */
    int64_t length, changes, widest;    /* `widest`: maximum gap */
    int64_t since;                      /* decisions before the leader took the lead */
    int starter, leader, last;          /* -1 for none; `last` is the last sole leader */
    /* Accumulators that are added to the tally regularly, and their number of games. */
    int64_t small;
    int64_t *endings;                   /* number of games by rotation, starter and winners */
    uint32_t (*points)[SEATS][NEAR_POINTS];  /* by rotation and starter: games per number of points */
    int64_t (*scores)[2];               /* by seat and origin: sum, and sum of squares */
    uint32_t (*near)[NEAR];             /* by spread: games per value */
    uint32_t (*few)[FEW_COUNTS];        /* by choice: games per combination of counts */
    int64_t (*many)[COUNTS][2];         /* by choice: sums and squares of larger counts */
    of_players *groups;
    int64_t *lead;
    uint64_t marks[MARK_WORDS];         /* one byte each */
    int marked;
} counting;

/* On other processors a compiler may use a library function for this, which a game does not have. */
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
static inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
static inline int highest_bit(uint32_t word) { return 31 - __builtin_clz(word); }
#else
static inline int lowest_bit(uint64_t word) {
    int bit = 0;
    while (!(word >> bit & 1))
        bit++;
    return bit;
}
static inline int highest_bit(uint32_t word) {
    int bit = 31;
    while (!(word >> bit))
        bit--;
    return bit;
}
#endif

/* Bin of a value. */
static int bin_of(const counting *g, int64_t value) {
    int exact = g->exact, side = g->side;
    int64_t size = value < 0 ? -value - 1 : value, place = side - 1;
    if (size < exact)
        place = size;
    else if (size < (int64_t)exact << g->what[PLAN_OCTAVES]) {
        int octave = highest_bit((uint32_t)size) - highest_bit((uint32_t)exact);
        place = exact + octave * (exact / 2) + ((size >> (octave + 1)) - exact / 2);
    }
    return (int)(value < 0 ? side - 1 - place : side + place);
}

/* Add games with a value of a spread. */
static void spread(const counting *g, tally *t, int number, int64_t value, int64_t games) {
    t->bins[number * 2 * g->side + bin_of(g, value)] += games;
    t->least[number] = min_of(t->least[number], value);
    t->most[number] = max_of(t->most[number], value);
}

/* Add games with a value in a column. */
static inline void add(tally *t, int column, int64_t value, int64_t games) {
    t->sums[column] += (wide)games * value;
    t->squares[column] += (wide)games * value * value;
}

/* Return whether a decision is a puzzle: only solutions with arguments are taken, if there are any. */
static int solved_only(const run *r, int *count) {
    *count = 0;
    if (!SOLVES[S[AT_DECISION]])
        return 0;
    for (int n = 0; n < r->count; n++)
        *count += arguments_of(S[AT_DECISION], r->options[(int64_t)n * ROW]) > 0;
    return *count > 0;
}

/* Option of a random bot. */
static int any_option(const run *r, stream luck) {
    int solutions;
    if (!solved_only(r, &solutions))
        return (int)below(&luck, r->count);
    int left = (int)below(&luck, solutions), n = 0;
    for (;; n++)
        if (arguments_of(S[AT_DECISION], r->options[(int64_t)n * ROW]) > 0 && !left--)
            return n;
}

/* Thinking time of a random bot in ms; 0 without a clock. */
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

static inline void include(choice_set set, int choice) {
    set[choice >> 6] |= (uint64_t)1 << (choice & 63);
}

/* Remove the lowest choice from a word of a set and return it. */
static inline int next_of(uint64_t *word) {
    int lowest = lowest_bit(*word);
    *word &= *word - 1;
    return lowest;
}

static inline uint64_t one_more(int count) { return (uint64_t)1 << count * COUNT_BITS; }

static inline void count_listed(counting *g, cell seat, int word, uint64_t listed) {
    g->had[seat][word] |= listed;
    while (listed)
        g->counts[(word << 6) + next_of(&listed)] += one_more(OFFERED);
}

static inline void take_choice(counting *g, cell seat, int choice, int forced) {
    g->counts[choice] += one_more(TAKEN) + (uint64_t)forced * one_more(FORCED);
    include(g->took[seat], choice);
}

/* Count the choice of a listed option. */
static void count_decision(const run *r, counting *g, int number) {
    cell decision = S[AT_DECISION], seat = S[AT_SEAT];
    if (!g->length++ && !AT_ONCE[decision])
        g->starter = (int)seat;
    plan slots = g->what + PLAN_SLOTS + FIRST_WAY[decision];
    if (g->words == 1) {
        /* This value stays in a register. */
        uint64_t listed = 0;
        for (int n = 0; n < r->count; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            plan slot = g->what + slots[option[0]];
            listed |= (uint64_t)1 << slot[0];
            for (plan thing = slot + 1; *thing; thing += 2)
                listed |= (uint64_t)(option[thing[0]] >= 0) << ((thing[1] + option[thing[0]]) & 63);
        }
        count_listed(g, seat, 0, listed);
    } else {
        for (int n = 0; n < r->count; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            plan slot = g->what + slots[option[0]];
            include(g->listed, slot[0]);
            for (plan thing = slot + 1; *thing; thing += 2)
                if (option[thing[0]] >= 0)
                    include(g->listed, thing[1] + option[thing[0]]);
        }
        for (int w = 0; w < g->words; w++) {
            count_listed(g, seat, w, g->listed[w]);
            g->listed[w] = 0;
        }
    }
    const int32_t *option = r->options + (int64_t)number * ROW;
    plan slot = g->what + slots[option[0]];
    take_choice(g, seat, slot[0], r->count == 1);
    for (plan thing = slot + 1; *thing; thing += 2)
        if (option[thing[0]] >= 0)
            take_choice(g, seat, thing[1] + option[thing[0]], r->count == 1);
}

/* Count the initial state, or a state after a decision. */
static void count_state(const run *r, counting *g) {
    if (!LED)
        return;
    cell sign = FEWEST ? -1 : 1, best = sign * S[SCORES[0]], second = INT64_MIN;
    int leader = 0;
    for (int p = 1; p < SEATS; p++) {
        cell points = sign * S[SCORES[p]];
        leader = points > best ? p : leader;
        second = max_of(second, min_of(best, points));
        best = max_of(best, points);
    }
    leader = best == second ? -1 : leader;
    g->standings[g->length] = (standing){best - second, leader};
    g->widest |= best - second;
    g->since = leader != g->leader ? g->length : g->since;
    g->leader = leader;
    g->changes += ((leader | g->last) >= 0) & (leader != g->last);
    g->last = leader >= 0 ? leader : g->last;
}

/* ---- the end of a game ---- */

/* Index of the bot in a seat. */
static inline int bot_at(int seat, int turn) { return seat < turn ? seat - turn + SEATS : seat - turn; }

/* Columns of the values of an ending; returns their number. */
static int columns_of_ending(const counting *g, int *columns) {
    int count = 0;
    for (int n = 0; n < 4 * SEATS; n++)
        columns[count++] = n;
    int after[] = {AT_PLAIN, AT_PLAIN + 1, AT_LENGTH + 1, AT_LENGTH + 2, g->leads + LEAD_DECIDED_GAMES};
    for (int n = 0; n < 4 + LED; n++)
        columns[count++] = after[n];
    return count;
}

/* Values of an ending, in the order of their columns. */
static void numbers_of_ending(const counting *g, ending e, int *numbers) {
    int winners = 0;
    for (int p = 0; p < SEATS; p++)
        winners += e.winners >> p & 1;
    int share = winners ? g->what[PLAN_WHOLE] / winners : 0;
    for (int p = 0; p < SEATS; p++) {
        int won = e.winners >> p & 1;
        numbers[p] = won * share;
        numbers[SEATS + p] = won;
        numbers[2 * SEATS + bot_at(p, e.turn)] = won * share;
        numbers[3 * SEATS + p] = p == e.starter;
    }
    int began = e.starter >= 0 && e.winners >> e.starter & 1;
    int plain[] = {!winners, winners > 1, began * share, began, winners == 1};
    for (int n = 0; n < 5; n++)
        numbers[4 * SEATS + n] = plain[n];
}

/* Add games in which a seat has a number of points. */
static void add_points(const counting *g, tally *t, int seat, int turn, int starter, int64_t points, int64_t games) {
    add(t, AT_POINTS + seat, points, games);
    add(t, AT_ENTRANTS_POINTS + bot_at(seat, turn), points, games);
    if (seat == starter)
        add(t, AT_STARTERS_POINTS, points, games);
    spread(g, t, POINTS, points, games);
}

/* Add the accumulators by starting player to the tally. */
static void add_openings(const counting *g, tally *t) {
    for (int opening = 0; opening < OPENINGS; opening++) {
        int turn = opening / (SEATS + 1), starter = opening % (SEATS + 1) - 1;
        for (int set = 0; set < SETS; set++) {
            int64_t *games = g->endings + opening * SETS + set;
            if (*games) {
                int columns[OF_ENDING], numbers[OF_ENDING], count = columns_of_ending(g, columns);
                numbers_of_ending(g, (ending){turn, starter, set}, numbers);
                for (int n = 0; n < count; n++)
                    add(t, columns[n], numbers[n], *games);
                *games = 0;
            }
        }
        for (int p = 0; SCORED && p < SEATS; p++) {
            uint32_t *games = g->points[opening][p];
            for (int n = 0; n < NEAR_POINTS; n++)
                if (games[n]) {
                    add_points(g, t, p, turn, starter, n + LEAST_NEAR, games[n]);
                    games[n] = 0;
                }
            for (int from = 0; from < g->origins; from++) {
                int64_t *score = g->scores[(opening * SEATS + p) * g->origins + from];
                int column = AT_ORIGINS + p * g->origins + from, starters = AT_ORIGINS + SEATS * g->origins + from;
                t->sums[column] += score[0];
                t->squares[column] += score[1];
                if (p == starter) {
                    t->sums[starters] += score[0];
                    t->squares[starters] += score[1];
                }
                score[0] = score[1] = 0;
            }
        }
    }
}

/* Add the accumulators of choices to the tally. */
static void add_choices(const counting *g, tally *t) {
    for (int c = 0; c < g->choices; c++) {
        for (int n = 0; n < COUNTS; n++) {
            int column = g->plain + n * g->choices + c;
            t->sums[column] += g->many[c][n][0];
            t->squares[column] += g->many[c][n][1];
            g->many[c][n][0] = g->many[c][n][1] = 0;
            for (int counts = 0; counts < FEW_COUNTS; counts++)
                add(t, column, counts >> n * FEW_BITS & FEW, g->few[c][counts]);
        }
        for (int counts = 0; counts < FEW_COUNTS; counts++)
            g->few[c][counts] = 0;
        for (int taken = 0; taken < GROUPS; taken++) {
            of_players *own = g->groups + (c * OWN_GROUPS + taken) * OWN_GROUP;
            wide *group = t->groups + (c * GROUPS + taken) * GROUP;
            for (int winners = 0; winners <= SEATS; winners++, own++) {
                int64_t points = (int64_t)((uint64_t)own->many << (64 - MANY)) >> (64 - MANY);
                int64_t players = (own->many - points) >> MANY;
                int share = winners ? g->what[PLAN_WHOLE] / winners : 0;
                group[PLAYERS] += players;
                group[SHARES] += (wide)players * share;
                group[SHARES_SQUARED] += (wide)players * share * share;
                group[SCORED_POINTS] += points;
                group[POINTS_SQUARED] += own->squares;
                own->many = own->squares = 0;
            }
        }
    }
}

/* Add the accumulators of leads and lengths to the tally. */
static void add_leads(const counting *g, tally *t) {
    int columns[] = {[LENGTHS] = AT_LENGTH, [GAPS] = g->leads + LEAD_AT_END, [CHANGES] = g->leads + LEAD_CHANGES,
                     [DECIDED] = g->leads + LEAD_DECIDED};
    for (int number = 0; number < ALL_SPREADS; number++)
        for (int value = 0; number != POINTS && value < NEAR; value++)
            if (g->near[number][value]) {
                add(t, columns[number], value, g->near[number][value]);
                spread(g, t, number, value, g->near[number][value]);
                g->near[number][value] = 0;
            }
    int parts = g->what[PLAN_PARTS];
    int64_t *lead = g->lead;
    for (int length = 0; LED && length < parts; length++, lead += parts * LEADS)
        for (int part = 0; part <= parts; part++) {
            int64_t *at = lead + length * part / parts * LEADS, gap = at[LEAD_GAP] & (((int64_t)1 << MANY) - 1);
            int column = g->leads + LEAD_PARTS + part, right = column + parts + 1;
            t->sums[column] += gap;
            t->squares[column] += at[LEAD_SQUARED];
            t->sums[right] += at[LEAD_GAP] >> MANY;
            t->squares[right] += at[LEAD_GAP] >> MANY;
        }
    for (int n = 0; n < parts * parts * LEADS; n++)
        g->lead[n] = 0;
}

static void add_small(counting *g, tally *t) {
    add_openings(g, t);
    add_choices(g, t);
    add_leads(g, t);
    g->small = 0;
}

/* Add the counts of marks. */
static void add_marks(counting *g, tally *t) {
    const uint8_t *marks = (const uint8_t *)g->marks;
    for (int m = 0; m < MARKS; m++)
        t->marks[m] += marks[m];
    for (int w = 0; w < MARK_WORDS; w++)
        g->marks[w] = 0;
    g->marked = 0;
}

/* Faster division for small numbers. */
static inline int64_t thousandths(int64_t part, int64_t whole) {
    return whole < 1 << 22 ? (uint32_t)part * 1000u / (uint32_t)whole : part * 1000 / whole;
}

static inline int64_t absolute(int64_t value) { return value < 0 ? -value : value; }

/* Time at which a game with one winner was decided, in thousandths of its length. */
static inline int64_t decided_at(const counting *g, int winner) {
    return winner < 0 ? 1000 : thousandths(g->leader == winner ? g->since : g->length, max_of(1, g->length));
}

/* Gap between the first two, and whether the winner leads alone, after length * part / parts decisions. */
static inline void lead_at(const counting *g, int part, int winner, int64_t *gap, int64_t *right) {
    const standing *at = g->standings + g->length * part / g->what[PLAN_PARTS];
    *gap = at->gap;
    *right = winner >= 0 && at->leader == winner;
}

/* Write the row of a finished game, without choices. */
static void write_row(const run *r, counting *g, ending e, int winner) {
    int64_t *row = g->row;
    int columns[OF_ENDING], numbers[OF_ENDING], count = columns_of_ending(g, columns);
    for (int n = 0; n < g->plain; n++)
        row[n] = 0;
    numbers_of_ending(g, e, numbers);
    for (int n = 0; n < count; n++)
        row[columns[n]] = numbers[n];
    row[AT_LENGTH] = g->length;
    for (int p = 0; SCORED && p < SEATS; p++) {
        const cell *score = S + SCORES[p];
        row[AT_POINTS + p] = row[AT_ENTRANTS_POINTS + bot_at(p, e.turn)] = score[0];
        if (p == e.starter)
            row[AT_STARTERS_POINTS] = score[0];
        for (int from = 0; from < g->origins; from++) {
            row[AT_ORIGINS + p * g->origins + from] = score[1 + from];
            if (p == e.starter)
                row[AT_ORIGINS + SEATS * g->origins + from] = score[1 + from];
        }
    }
    if (LED) {
        int64_t *leads = row + g->leads, *gaps = leads + LEAD_PARTS;
        int parts = g->what[PLAN_PARTS];
        leads[LEAD_AT_END] = g->standings[g->length].gap;
        leads[LEAD_CHANGES] = g->changes;
        leads[LEAD_DECIDED] = decided_at(g, winner);
        for (int part = 0; part <= parts; part++)
            lead_at(g, part, winner, gaps + part, gaps + parts + 1 + part);
    }
}

/* Add the row and the spreads of a game with large values. */
static void count_row(const run *r, const counting *g, tally *t, int winner) {
    for (int n = 0; n < g->plain; n++)
        add(t, n, g->row[n], 1);
    spread(g, t, LENGTHS, g->length, 1);
    for (int p = 0; SCORED && p < SEATS; p++)
        spread(g, t, POINTS, S[SCORES[p]], 1);
    if (LED) {
        spread(g, t, GAPS, g->standings[g->length].gap, 1);
        spread(g, t, CHANGES, g->changes, 1);
        if (winner >= 0)
            spread(g, t, DECIDED, decided_at(g, winner), 1);
    }
}

/* Count a non-negative value in its histogram or column. */
static inline void count_near(counting *g, tally *t, int number, int column, int64_t value) {
    if (value < NEAR)
        g->near[number][value]++;
    else {
        add(t, column, value, 1);
        spread(g, t, number, value, 1);
    }
}

/* Count the values of a game with small values, without choices. */
static void count_plain(const run *r, counting *g, tally *t, ending e, int winner) {
    int opening = e.turn * (SEATS + 1) + e.starter + 1, origins = g->origins;
    g->endings[opening * SETS + e.winners]++;
    count_near(g, t, LENGTHS, AT_LENGTH, g->length);
    int64_t (*scores)[2] = g->scores + opening * SEATS * origins;
    for (int p = 0; SCORED && p < SEATS; p++) {
        const cell *score = S + SCORES[p];
        uint64_t place = (uint64_t)(score[0] - LEAST_NEAR);
        if (place < NEAR_POINTS)
            g->points[opening][p][place]++;
        else
            add_points(g, t, p, e.turn, e.starter, score[0], 1);
        for (int from = 0; from < origins; from++, scores++) {
            (*scores)[0] += score[1 + from];
            (*scores)[1] += score[1 + from] * score[1 + from];
        }
    }
    if (!LED)
        return;
    int leads = g->leads, parts = g->what[PLAN_PARTS], judge = winner < 0 ? SEATS : winner;
    count_near(g, t, GAPS, leads + LEAD_AT_END, g->standings[g->length].gap);
    count_near(g, t, CHANGES, leads + LEAD_CHANGES, g->changes);
    if (winner >= 0)
        g->near[DECIDED][decided_at(g, winner)]++;
    else
        add(t, leads + LEAD_DECIDED, 1000, 1);
    if (g->length < parts) {
        int64_t *lead = g->lead + g->length * parts * LEADS;
        for (const standing *at = g->standings; at <= g->standings + g->length; at++, lead += LEADS) {
            lead[LEAD_GAP] += at->gap + ((int64_t)(at->leader == judge) << MANY);
            lead[LEAD_SQUARED] += at->gap * at->gap;
        }
    } else
        for (int part = 0; part <= parts; part++) {
            int64_t gap, right;
            lead_at(g, part, winner, &gap, &right);
            add(t, leads + LEAD_PARTS + part, gap, 1);
            add(t, leads + LEAD_PARTS + parts + 1 + part, right, 1);
        }
}

/* Add the counts of a choice in one game. */
static inline void count_choice(counting *g, int choice) {
    uint64_t counts = g->counts[choice], few = one_more(OFFERED) * FEW + one_more(TAKEN) * FEW + one_more(FORCED) * FEW;
    if (!(counts & ~few)) {
        enum { STEP = COUNT_BITS - FEW_BITS };
        g->few[choice][(counts | counts >> STEP | counts >> 2 * STEP) & (FEW_COUNTS - 1)]++;
    } else
        for (int n = 0; n < COUNTS; n++) {
            int64_t count = counts >> n * COUNT_BITS & ((1 << COUNT_BITS) - 1);
            g->many[choice][n][0] += count;
            g->many[choice][n][1] += count * count;
        }
    g->counts[choice] = 0;
}

/* TOOK, DECLINED, or neither. */
static inline int group_of(uint64_t had, uint64_t took, int bit) {
    return 2 - (int)(had >> bit & 1) - (int)(took >> bit & 1);
}

/* Add large points to the groups of each choice. */
static void count_large(const counting *g, tally *t, const int64_t *points) {
    for (int c = 0; c < g->choices; c++)
        for (int p = 0; p < SEATS; p++) {
            int group = group_of(g->had[p][c >> 6], g->took[p][c >> 6], c & 63);
            if (group < GROUPS) {
                wide *large = t->groups + (c * GROUPS + group) * GROUP;
                large[SCORED_POINTS] += points[p];
                large[POINTS_SQUARED] += (wide)points[p] * points[p];
            }
        }
}

/* Count a finished game. */
static void count_end(const run *r, counting *g, tally *t, int turn) {
    int choices = g->choices, winners = 0, winner = -1;
    int64_t most = g->widest, points[SEATS];
    for (int p = 0; p < SEATS; p++) {
        int won = S[AT_WINNERS] >> p & 1;
        winners += won;
        winner = won ? p : winner;
        points[p] = SCORED ? S[SCORES[p]] : 0;
        for (int o = 0; SCORED && o <= g->origins; o++)
            most |= absolute(S[SCORES[p] + o]);
    }
    if (winners != 1)
        winner = -1;
    ending e = {turn, g->starter, S[AT_WINNERS]};
    int small = (uint64_t)most < SMALL;
    if (t->rows || !small || !ENDINGS_KEPT)
        write_row(r, g, e, winner);
    if (small && ENDINGS_KEPT)
        count_plain(r, g, t, e, winner);
    else
        count_row(r, g, t, winner);
    if (t->rows) {
        for (int n = 0; n < g->plain; n++)
            t->rows[n] = g->row[n];
        for (int n = 0; n < COUNTS * choices; n++)
            t->rows[g->plain + n] = g->counts[n % choices] >> n / choices * COUNT_BITS & ((1 << COUNT_BITS) - 1);
    }
    if (!small)
        count_large(g, t, points);
    of_players *own_of[SEATS], each[SEATS];
    for (int p = 0; p < SEATS; p++) {
        int64_t counted = small ? points[p] : 0;
        own_of[p] = g->groups + (S[AT_WINNERS] >> p & 1 ? winners : 0);
        each[p] = (of_players){counted + ((int64_t)1 << MANY), counted * counted};
    }
    for (int k = 0; k < g->words; k++) {
        uint64_t some = 0, had[SEATS], took[SEATS];
        for (int p = 0; p < SEATS; p++) {
            some |= had[p] = g->had[p][k];
            took[p] = g->took[p][k];
            g->had[p][k] = g->took[p][k] = 0;
        }
        while (some) {
            int bit = next_of(&some), choice = (k << 6) + bit;
            count_choice(g, choice);
            for (int p = 0; p < SEATS; p++) {
                of_players *own = own_of[p] + (choice * OWN_GROUPS + group_of(had[p], took[p], bit)) * OWN_GROUP;
                own->many += each[p].many;
                own->squares += each[p].squares;
            }
        }
    }
    if (++g->small == OFTEN)
        add_small(g, t);
}

/* Stream of another seat or number. */
static inline stream further(stream first, uint64_t place) {
    first.counter += place * first.step;
    return first;
}

/* Discard an unfinished game. */
static void forget(counting *g, tally *t) {
    for (int c = 0; c < g->choices; c++)
        g->counts[c] = 0;
    for (int n = 0; t->rows && n < g->what[PLAN_WIDTH]; n++)
        t->rows[n] = 0;
    for (int k = 0; k < g->words; k++)
        for (int p = 0; p < SEATS; p++)
            g->had[p][k] = g->took[p][k] = 0;
}

/* Play one random game of a series and count it; stopped as unfinished after `limit` decisions. */
static void count_game(run *r, counting *g, tally *t, uint64_t seed, int64_t limit, int turn) {
    stream bots_luck = stream_of(seed, FOR_BOT, 0, 0), pace = bots_luck;
    if (TIMED)
        pace = stream_of(seed, FOR_PACE, 0, 0);
    g->length = g->changes = g->widest = g->since = 0;
    g->starter = g->leader = g->last = -1;
    start(r, seed);
    advance(r);
    if (!r->stopped)
        count_state(r, g);
    while (!r->stopped && r->count && g->length < limit && goes_on(r)) {
        uint64_t place = (uint64_t)S[AT_SEAT] << SEAT_BIT | (uint64_t)g->length << NUMBER_BIT;
        cell time = TIMED ? any_pace(r, g->what, further(pace, place)) : 0;
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
    for (int w = 0; w < MARK_WORDS; w++) {
        g->marks[w] += r->marks[w];
        r->marks[w] = 0;
    }
    if (++g->marked == BYTE)
        add_marks(g, t);
    t->games++;
    int over = S[AT_DECISION] == OVER;
    if (over) {
        count_end(r, g, t, turn);
        t->ended++;
    } else
        forget(g, t);
    if (t->lengths)
        *t->lengths++ = over ? g->length : -1;
    if (t->rows)
        t->rows += g->what[PLAN_WIDTH];
}

/* Zeroed memory of the run. */
static void *zeros(run *r, int64_t bytes) {
    uint64_t words = ((uint64_t)bytes + 7) / 8, *all = more_room(r, words * 8);
    for (uint64_t n = 0; all && n < words; n++)
        all[n] = 0;
    return all;
}

/* Play the games `first` to `last` (exclusive) of a series and add them to a tally.  Bots sit in the order of their
   list; with `rotate` they move on by one seat per game.  `limit` has at most COUNT_BITS bits. */
SHOWN int game_tally(run *r, plan what, uint64_t seed, int64_t first, int64_t last, int64_t limit, int32_t rotate,
                       tally *t) {
    uint64_t used = r->used;
    int choices = what[PLAN_CHOICES], parts = what[PLAN_PARTS], words = (choices + 63) / 64;
    counting g = {0};
    g.what = what;
    g.exact = what[PLAN_EXACT];
    g.side = g.exact + what[PLAN_OCTAVES] * (g.exact / 2);
    g.words = words;
    g.choices = choices;
    g.origins = what[PLAN_ORIGINS];
    g.plain = what[PLAN_WIDTH] - COUNTS * choices;
    g.leads = AT_ORIGINS + (SEATS + 1) * g.origins;
    r->stopped = NOT_STOPPED;
    choice_set *sets = more_room(r, 2 * SEATS * sizeof(choice_set));
    g.standings = more_room(r, ((uint64_t)limit + 1) * sizeof *g.standings);
    g.listed = zeros(r, words * (1 + 2 * SEATS) * sizeof *g.listed);
    g.counts = zeros(r, choices * sizeof *g.counts);
    g.row = zeros(r, g.plain * sizeof *g.row);
    g.endings = zeros(r, ENDINGS * sizeof *g.endings);
    g.points = zeros(r, (SCORED ? OPENINGS : 0) * sizeof *g.points);
    g.scores = zeros(r, OPENINGS * SEATS * g.origins * sizeof *g.scores);
    g.near = zeros(r, ALL_SPREADS * sizeof *g.near);
    g.few = zeros(r, choices * sizeof *g.few);
    g.many = zeros(r, choices * sizeof *g.many);
    g.groups = zeros(r, choices * OWN_GROUPS * OWN_GROUP * sizeof *g.groups);
    g.lead = zeros(r, parts * parts * LEADS * sizeof *g.lead);
    if (r->stopped)
        return r->stopped;
    g.had = sets;
    g.took = sets + SEATS;
    for (int n = 0; n < 2 * SEATS; n++)
        sets[n] = g.listed + (1 + n) * words;
    for (int w = 0; w < MARK_WORDS; w++)
        r->marks[w] = 0;
    for (int64_t number = first; number < last && !r->stopped; number++) {
        int turn = rotate ? (int)(number % SEATS) : 0;
        count_game(r, &g, t, derived(seed, (uint64_t)number), limit, turn);
    }
    add_small(&g, t);
    add_marks(&g, t);
    for (int m = 0; m < MARKS; m++)
        marks_of(r)[m] = t->marks[m] > 0;
    r->used = used;
    return r->stopped;
}

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif

/* Add paired differences of games with equal numbers in the given columns: sums and sums of squares.  Returns the
   number of games that both finished. */
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
