/* Random games, with what makes a game counted: rows of numbers and their sums, as lab/columns.py says what they are.
   Only programs with marks have this. */

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-tree-loop-distribute-patterns")
#endif

typedef __int128 wide;

/* What to count, as numbers: how many choices, origins and parts there are; a whole win; who leads, if anybody can; the
   bins; how long bots take; then, for each option of each decision, where the following stands for it: which choice it
   is, how many of its arguments count, and for each of these its place in the option and the choice of its first
   value. */
enum {
    PLAN_WIDTH, PLAN_CHOICES, PLAN_ORIGINS, PLAN_WHOLE, PLAN_LEADS, PLAN_FEWEST, PLAN_PARTS, PLAN_EXACT, PLAN_OCTAVES,
    PLAN_PACE_LOW, PLAN_PACE_HIGH, PLAN_NO_END, PLAN_SLOTS
};
enum { LENGTHS, POINTS, GAPS, CHANGES, DECIDED, ALL_SPREADS };
enum { TOOK, DECLINED, GROUPS };
enum { PLAYERS, SHARES, SHARES_SQUARED, SCORED_POINTS, POINTS_SQUARED, GROUP };
/* Of a group, until that is added to the tally: how many did not win, won alone, won with another one and so on; and
   points. */
enum { OWN_POINTS = SEATS + 1, OWN_SQUARES, OWN_GROUP };

/* The sums of many games; `groups` has for each choice those who took it and those who declined it, `bins` those of
   each spread, `rows` a row for each game, where they are wanted. */
typedef struct {
    int64_t games, ended;
    wide *sums, *squares, *groups;
    int64_t *bins, *least, *most, *marks, *lengths, *rows;
} tally;

/* A set of choices has a bit for each, in words of 64. */
typedef uint64_t *choice_set;

/* What is counted of each choice, and the room for it: as much as a processor adds up at once. */
enum { OFFERED, TAKEN, FORCED, COUNTS, COUNTS_ROOM };

/* One game. */
typedef struct {
    plan what;
    int exact, side;                    /* how many numbers have bins of their own, and the bins above 0 */
    int words;                          /* of a set of choices */
    choice_set listed, *had, *took;     /* at one decision; by seat, in the whole game */
    int64_t *row;                       /* its numbers, those of choices apart */
    uint32_t (*counts)[COUNTS_ROOM];    /* by choice: how often it was OFFERED and so on */
    int64_t (*counted)[2][COUNTS_ROOM]; /* their sums and squares, until these are added to the tally */
    int8_t *leaders;                    /* at first and after each decision: who leads alone, -1 for nobody */
    int64_t *gaps;
    int64_t length, changes, widest;    /* the widest gap */
    int64_t since;                      /* after so many decisions the leader came to lead */
    int starter, leader, last;          /* -1 for nobody; `last` is who led alone last */
    int parts;                          /* where in the row the gaps by part begin */
    /* What is added to the tally every now and then: of small numbers, and of marks; and of how many games it is. */
    int64_t *sums, *squares, *groups, *leads;
    int64_t *endings;                   /* how many games: by turn, by who begins, by winners */
    int64_t *scrap;                     /* as wide as the first two together, for numbers that are not small */
    int64_t small;
    uint64_t marks[MARK_WORDS];         /* a byte for each */
    int marked;
} counting;

/* Numbers up to SMALL are small; their squares add up in 64 bits for OFTEN games, and marks in bytes for BYTE. */
enum { SMALL = 1 << 20, OFTEN = 1 << 20, BYTE = 255 };
/* Of games with fewer decisions than there are parts, who leads is added up by length and decision, not by part: the
   sum of the gaps, of their squares, and how often the winner leads alone. */
enum { LEAD_GAP, LEAD_SQUARED, LEAD_RIGHT, LEADS };

/* On other processors a compiler may look for this in a library of its own, which a game is without. */
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

/* The bin of a number that has none of its own. */
static int far_bin(const counting *g, int64_t value) {
    int exact = g->exact, side = g->side;
    int64_t size = value < 0 ? -value - 1 : value, place = side - 1;
    if (size < (int64_t)exact << g->what[PLAN_OCTAVES]) {
        int octave = highest_bit((uint32_t)size) - highest_bit((uint32_t)exact);
        place = exact + octave * (exact / 2) + ((size >> (octave + 1)) - exact / 2);
    }
    return (int)(value < 0 ? side - 1 - place : side + place);
}

static void spread_far(counting *g, tally *t, int number, int64_t value) {
    t->bins[number * 2 * g->side + far_bin(g, value)]++;
    t->least[number] = min_of(t->least[number], value);
    t->most[number] = max_of(t->most[number], value);
}

/* What is small has a bin of its own, which tells at the end what is the least and the most. */
static inline void spread(counting *g, tally *t, int number, int64_t value) {
    if ((uint64_t)value + (uint64_t)g->exact < 2 * (uint64_t)g->exact)
        t->bins[number * 2 * g->side + g->side + value]++;
    else
        spread_far(g, t, number, value);
}

/* The least and the most of each spread, those with bins of their own among them. */
static void add_ends(counting *g, tally *t) {
    for (int number = 0; number < ALL_SPREADS; number++) {
        const int64_t *bins = t->bins + number * 2 * g->side + g->side;
        for (int value = -g->exact; value < g->exact; value++)
            if (bins[value]) {
                t->least[number] = min_of(t->least[number], value);
                t->most[number] = max_of(t->most[number], value);
            }
    }
}

/* A word of the set of choices that anybody had in the game. */
static inline uint64_t listed_in(const counting *g, int word) {
    uint64_t some = 0;
    for (int p = 0; p < SEATS; p++)
        some |= g->had[p][word];
    return some;
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

static inline void include(choice_set set, int choice) {
    set[choice >> 6] |= (uint64_t)1 << (choice & 63);
}

/* The lowest choice of a word of a set, which is taken out of it. */
static inline int next_of(uint64_t *word) {
    int lowest = lowest_bit(*word);
    *word &= *word - 1;
    return lowest;
}

static inline void count_listed(counting *g, cell seat, int word, uint64_t listed) {
    g->had[seat][word] |= listed;
    while (listed)
        g->counts[(word << 6) + next_of(&listed)][OFFERED]++;
}

static inline void take_choice(counting *g, cell seat, int choice, int forced) {
    g->counts[choice][TAKEN]++;
    if (forced)
        g->counts[choice][FORCED]++;
    include(g->took[seat], choice);
}

/* One of the options that are listed is taken. */
static void count_decision(const run *r, counting *g, int number) {
    cell decision = S[AT_DECISION], seat = S[AT_SEAT];
    if (!g->length++ && !AT_ONCE[decision])
        g->starter = (int)seat;
    plan slots = g->what + PLAN_SLOTS + FIRST_WAY[decision];
    if (g->words == 1) {
        /* Which does not leave the processor. */
        uint64_t listed = 0;
        for (int n = 0; n < r->count; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            plan slot = g->what + slots[option[0]];
            listed |= (uint64_t)1 << slot[0];
            for (int i = slot[1], at = 2; i > 0; i--, at += 2)
                listed |= (uint64_t)(option[slot[at]] >= 0) << ((slot[at + 1] + option[slot[at]]) & 63);
        }
        count_listed(g, seat, 0, listed);
    } else {
        for (int n = 0; n < r->count; n++) {
            const int32_t *option = r->options + (int64_t)n * ROW;
            plan slot = g->what + slots[option[0]];
            include(g->listed, slot[0]);
            for (int i = slot[1], at = 2; i > 0; i--, at += 2)
                if (option[slot[at]] >= 0)
                    include(g->listed, slot[at + 1] + option[slot[at]]);
        }
        for (int w = 0; w < g->words; w++) {
            count_listed(g, seat, w, g->listed[w]);
            g->listed[w] = 0;
        }
    }
    const int32_t *option = r->options + (int64_t)number * ROW;
    plan slot = g->what + slots[option[0]];
    take_choice(g, seat, slot[0], r->count == 1);
    for (int i = slot[1], at = 2; i > 0; i--, at += 2)
        if (option[slot[at]] >= 0)
            take_choice(g, seat, slot[at + 1] + option[slot[at]], r->count == 1);
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
    g->widest = max_of(g->widest, best - second);
    if (leader != g->leader) {
        g->leader = leader;
        g->since = g->length;
        if (leader >= 0) {
            g->changes += g->last >= 0 && g->last != leader;
            g->last = leader;
        }
    }
}

/* ---- who wins and who begins: numbers that follow from these alone are added up for many games at once ---- */

/* `turn` is how many seats the bots have moved on. */
typedef struct { int turn, starter; cell winners; } ending;

enum { OF_ENDING = 4 * SEATS + 5, BY_SEAT = (SCORED ? 6 : 4) * SEATS };
/* Where there are too many seats, there would be too many endings. */
enum { ENDINGS_KEPT = SEATS <= 6, SETS = ENDINGS_KEPT ? 1 << SEATS : 1 };
enum { ENDINGS = ENDINGS_KEPT ? SEATS * (SEATS + 1) * SETS : 0 };

/* Where the numbers of an ending stand in a row; gives how many these are. */
static int columns_of_ending(plan what, int *columns) {
    int count = 0, origins = what[PLAN_ORIGINS];
    for (int n = 0; n < 4 * SEATS; n++)
        columns[count++] = n;
    int after[] = {0, 1, 3, 4, 5 + SCORED + (SEATS + 1) * origins + 2};
    for (int n = 0; n < 4 + what[PLAN_LEADS]; n++)
        columns[count++] = BY_SEAT + after[n];
    return count;
}

/* The numbers of an ending, in the order of their columns. */
static void numbers_of_ending(plan what, ending e, int *numbers) {
    int winners = 0;
    for (int p = 0; p < SEATS; p++)
        winners += e.winners >> p & 1;
    int share = winners ? what[PLAN_WHOLE] / winners : 0;
    for (int p = 0; p < SEATS; p++) {
        int won = e.winners >> p & 1, bot = (p - e.turn + SEATS) % SEATS;
        numbers[p] = won * share;
        numbers[SEATS + p] = won;
        numbers[2 * SEATS + bot] = won * share;
        numbers[3 * SEATS + p] = p == e.starter;
    }
    int began = e.starter >= 0 && e.winners >> e.starter & 1;
    int plain[] = {!winners, winners > 1, began * share, began, winners == 1};
    for (int n = 0; n < 5; n++)
        numbers[4 * SEATS + n] = plain[n];
}

/* Add the numbers of an ending that so many games had to the tally. */
static void add_ending(const counting *g, tally *t, ending e, int64_t games) {
    int columns[OF_ENDING], numbers[OF_ENDING], count = columns_of_ending(g->what, columns);
    numbers_of_ending(g->what, e, numbers);
    for (int n = 0; n < count; n++) {
        t->sums[columns[n]] += (wide)games * numbers[n];
        t->squares[columns[n]] += (wide)games * numbers[n] * numbers[n];
    }
}

static inline void count_ending(counting *g, tally *t, ending e) {
    if (ENDINGS_KEPT)
        g->endings[(e.turn * (SEATS + 1) + e.starter + 1) * SETS + e.winners]++;
    else
        add_ending(g, t, e, 1);
}

static void add_endings(counting *g, tally *t) {
    for (int n = 0; n < ENDINGS; n++) {
        int seats = n / SETS;
        ending e = {seats / (SEATS + 1), seats % (SEATS + 1) - 1, n % SETS};
        if (g->endings[n])
            add_ending(g, t, e, g->endings[n]);
        g->endings[n] = 0;
    }
}

/* Add the sums of small numbers to the tally. */
static void add_small(counting *g, tally *t) {
    plan what = g->what;
    int choices = what[PLAN_CHOICES], plain = what[PLAN_WIDTH] - COUNTS * choices;
    for (int n = 0; n < plain; n++) {
        t->sums[n] += g->sums[n];
        t->squares[n] += g->squares[n];
        g->sums[n] = g->squares[n] = 0;
    }
    for (int c = 0; c < choices; c++)
        for (int n = 0; n < COUNTS; n++) {
            t->sums[plain + n * choices + c] += g->counted[c][0][n];
            t->squares[plain + n * choices + c] += g->counted[c][1][n];
            g->counted[c][0][n] = g->counted[c][1][n] = 0;
        }
    int64_t *own = g->groups;
    wide *group = t->groups;
    for (int n = 0; n < GROUPS * choices; n++, own += OWN_GROUP, group += GROUP) {
        for (int winners = 0; winners <= SEATS; winners++) {
            int share = winners ? what[PLAN_WHOLE] / winners : 0;
            group[PLAYERS] += own[winners];
            group[SHARES] += (wide)own[winners] * share;
            group[SHARES_SQUARED] += (wide)own[winners] * share * share;
        }
        group[SCORED_POINTS] += own[OWN_POINTS];
        group[POINTS_SQUARED] += own[OWN_SQUARES];
        for (int i = 0; i < OWN_GROUP; i++)
            own[i] = 0;
    }
    add_endings(g, t);
    int parts = what[PLAN_PARTS];
    int64_t *lead = g->leads;
    for (int length = 0; what[PLAN_LEADS] && length < parts; length++, lead += parts * LEADS)
        for (int part = 0; part <= parts; part++) {
            int64_t *at = lead + length * part / parts * LEADS;
            int column = g->parts + part, right = column + parts + 1;
            t->sums[column] += at[LEAD_GAP];
            t->squares[column] += at[LEAD_SQUARED];
            t->sums[right] += at[LEAD_RIGHT];
            t->squares[right] += at[LEAD_RIGHT];
        }
    for (int n = 0; n < parts * parts * LEADS; n++)
        g->leads[n] = 0;
    g->small = 0;
}

/* Add what the bytes of marks come to. */
static void add_marks(counting *g, tally *t) {
    const uint8_t *marks = (const uint8_t *)g->marks;
    for (int m = 0; m < MARKS; m++)
        t->marks[m] += marks[m];
    for (int w = 0; w < MARK_WORDS; w++)
        g->marks[w] = 0;
    g->marked = 0;
}

/* Where the numbers of a row go. */
typedef struct { int64_t *row, *sums, *squares; } writer;
static inline void put(writer *w, int64_t value) {
    *w->row++ = value;
    *w->sums++ += value;
    *w->squares++ += (int64_t)((uint64_t)value * (uint64_t)value);
}

/* The gap between the first two, and whether the winner leads alone, after each part of a game; briefly: where the row
   is not wanted, those of short games are added up by decision. */
static void count_leads(counting *g, writer *w, int winner, int briefly) {
    int parts = g->what[PLAN_PARTS];
    g->parts = (int)(w->row - g->row);
    if (briefly && g->length < parts) {
        int64_t *lead = g->leads + g->length * parts * LEADS;
        for (int place = 0; place <= g->length; place++, lead += LEADS) {
            int64_t gap = g->gaps[place];
            lead[LEAD_GAP] += gap;
            lead[LEAD_SQUARED] += gap * gap;
            lead[LEAD_RIGHT] += (winner >= 0) & (g->leaders[place] == winner);
        }
        return;
    }
    /* After length * part / parts decisions, without dividing for each part. */
    int each = (int)g->length / parts, more = (int)g->length % parts, place = 0, rest = 0;
    writer right = {w->row + parts + 1, w->sums + parts + 1, w->squares + parts + 1};
    for (int part = 0; part <= parts; part++) {
        put(w, g->gaps[place]);
        put(&right, winner >= 0 && g->leaders[place] == winner);
        place += each;
        rest += more;
        if (rest >= parts) {
            rest -= parts;
            place++;
        }
    }
}

/* Division takes long, that of small numbers less. */
static inline int64_t thousandths(int64_t part, int64_t whole) {
    return whole < 1 << 22 ? (uint32_t)part * 1000u / (uint32_t)whole : part * 1000 / whole;
}

static inline int64_t absolute(int64_t value) { return value < 0 ? -value : value; }

/* Leave out the numbers of an ending. */
static inline void skip(writer *w, int numbers) {
    w->row += numbers;
    w->sums += numbers;
    w->squares += numbers;
}

/* Add the row of a game that is over. */
static void count_end(const run *r, counting *g, tally *t, int turn) {
    plan what = g->what;
    int choices = what[PLAN_CHOICES], origins = what[PLAN_ORIGINS], width = what[PLAN_WIDTH];
    int plain = width - COUNTS * choices, winners = 0, winner = -1;
    int64_t points[SEATS], most = g->widest;
    for (int p = 0; p < SEATS; p++) {
        if (S[AT_WINNERS] >> p & 1) {
            winners++;
            winner = p;
        }
        points[p] = SCORED ? S[SCORES[p]] : 0;
        for (int o = 0; SCORED && o <= origins; o++)
            most = max_of(most, absolute(S[SCORES[p] + o]));
    }
    if (winners != 1)
        winner = -1;
    /* Of large numbers the small sums are of no use. */
    int small = most < SMALL / 2;
    int64_t *sums = small ? g->sums : g->scrap;
    writer w = {g->row, sums, sums + width};
    ending e = {turn, g->starter, S[AT_WINNERS]};
    count_ending(g, t, e);
    skip(&w, 4 * SEATS);
    if (SCORED) {
        for (int p = 0; p < SEATS; p++)
            put(&w, points[p]);
        for (int bot = 0; bot < SEATS; bot++)
            put(&w, points[bot + turn < SEATS ? bot + turn : bot + turn - SEATS]);
    }
    skip(&w, 2);
    put(&w, g->length);
    skip(&w, 2);
    if (SCORED)
        put(&w, e.starter >= 0 ? points[e.starter] : 0);
    for (int p = 0; p < SEATS; p++)
        for (int from = 0; from < origins; from++)
            put(&w, S[SCORES[p] + 1 + from]);
    for (int from = 0; from < origins; from++)
        put(&w, e.starter >= 0 ? S[SCORES[e.starter] + 1 + from] : 0);
    spread(g, t, LENGTHS, g->length);
    for (int p = 0; SCORED && p < SEATS; p++)
        spread(g, t, POINTS, points[p]);
    if (what[PLAN_LEADS]) {
        int64_t decided = 1000;
        if (winner >= 0) {
            decided = thousandths(g->leader == winner ? g->since : g->length, max_of(1, g->length));
            spread(g, t, DECIDED, decided);
        }
        put(&w, g->gaps[g->length]);
        put(&w, g->changes);
        skip(&w, 1);
        put(&w, decided);
        spread(g, t, GAPS, g->gaps[g->length]);
        spread(g, t, CHANGES, g->changes);
        count_leads(g, &w, winner, small && !t->rows);
    }
    if (!small)
        for (int n = 0; n < plain; n++) {
            t->sums[n] += g->row[n];
            t->squares[n] += (wide)g->row[n] * g->row[n];
        }
    if (t->rows) {
        for (int n = 0; n < width; n++)
            t->rows[n] = n < plain ? g->row[n] : g->counts[(n - plain) % choices][(n - plain) / choices];
        int columns[OF_ENDING], numbers[OF_ENDING], count = columns_of_ending(what, columns);
        numbers_of_ending(what, e, numbers);
        for (int n = 0; n < count; n++)
            t->rows[columns[n]] = numbers[n];
    }
    for (int k = 0; k < g->words; k++) {
        uint64_t some = listed_in(g, k);
        while (some) {
            int bit = next_of(&some), c = (k << 6) + bit;
            for (int n = 0; n < COUNTS_ROOM; n++) {
                uint32_t count = g->counts[c][n];
                g->counted[c][0][n] += count;
                g->counted[c][1][n] += (int64_t)((uint64_t)count * count);
                g->counts[c][n] = 0;
            }
            for (int p = 0; p < SEATS; p++)
                if (g->had[p][k] >> bit & 1) {
                    int at = c * GROUPS + (g->took[p][k] >> bit & 1 ? TOOK : DECLINED);
                    int64_t *own = g->groups + at * OWN_GROUP;
                    own[S[AT_WINNERS] >> p & 1 ? winners : 0]++;
                    if (small) {
                        own[OWN_POINTS] += points[p];
                        own[OWN_SQUARES] += points[p] * points[p];
                    } else {
                        t->groups[at * GROUP + SCORED_POINTS] += points[p];
                        t->groups[at * GROUP + POINTS_SQUARED] += (wide)points[p] * points[p];
                    }
                }
        }
        for (int p = 0; p < SEATS; p++)
            g->had[p][k] = g->took[p][k] = 0;
    }
    if (++g->small == OFTEN)
        add_small(g, t);
}

/* The stream of another seat and number than the first. */
static inline stream further(stream first, uint64_t place) {
    first.counter += place * first.step;
    return first;
}

/* Of a game without an end nothing is added up. */
static void forget(counting *g, tally *t) {
    for (int c = 0; c < g->what[PLAN_CHOICES]; c++)
        for (int n = 0; n < COUNTS_ROOM; n++)
            g->counts[c][n] = 0;
    for (int n = 0; t->rows && n < g->what[PLAN_WIDTH]; n++)
        t->rows[n] = 0;
    for (int k = 0; k < g->words; k++)
        for (int p = 0; p < SEATS; p++)
            g->had[p][k] = g->took[p][k] = 0;
}

/* Play one game of a series at random and count it; it is stopped, unfinished, after so many decisions. */
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

/* Play the games of a series from the first number to before the last one, and add them to a tally.  The bots sit in
   the order of their list; with `rotate` they move on by one seat with each game. */
SHOWN int game_tally(run *r, plan what, uint64_t seed, int64_t first, int64_t last, int64_t limit, int32_t rotate,
                       tally *t) {
    uint64_t used = r->used;
    int choices = what[PLAN_CHOICES], parts = what[PLAN_PARTS], words = (choices + 63) / 64;
    int width = what[PLAN_WIDTH], groups = GROUPS * OWN_GROUP * choices;
    counting g;
    g.what = what;
    g.exact = what[PLAN_EXACT];
    g.side = g.exact + what[PLAN_OCTAVES] * (g.exact / 2);
    g.words = words;
    uint64_t *bits = more_room(r, (1 + 2 * (uint64_t)SEATS) * words * sizeof(uint64_t));
    choice_set *sets = more_room(r, 2 * SEATS * sizeof(choice_set));
    g.counts = more_room(r, (uint64_t)choices * sizeof *g.counts);
    g.counted = more_room(r, (uint64_t)choices * sizeof *g.counted);
    g.leaders = more_room(r, (uint64_t)limit + 1);
    g.gaps = more_room(r, ((uint64_t)limit + 1) * sizeof(int64_t));
    uint64_t numbers = (uint64_t)width * 5 + groups + parts * parts * LEADS + ENDINGS;
    g.row = more_room(r, numbers * sizeof(int64_t));
    if (!bits || !sets || !g.counts || !g.counted || !g.leaders || !g.gaps || !g.row)
        return NO_ROOM;
    for (uint64_t n = 0; n < numbers; n++)
        g.row[n] = 0;
    for (int n = 0; n < (1 + 2 * SEATS) * words; n++)
        bits[n] = 0;
    for (int c = 0; c < choices; c++)
        for (int n = 0; n < COUNTS_ROOM; n++)
            g.counts[c][n] = g.counted[c][0][n] = g.counted[c][1][n] = 0;
    g.sums = g.row + width;
    g.squares = g.sums + width;
    g.groups = g.squares + width;
    g.leads = g.groups + groups;
    g.endings = g.leads + parts * parts * LEADS;
    g.scrap = g.endings + ENDINGS;
    g.listed = bits;
    g.had = sets;
    g.took = sets + SEATS;
    for (int n = 0; n < 2 * SEATS; n++)
        sets[n] = bits + (1 + n) * words;
    for (int w = 0; w < MARK_WORDS; w++)
        g.marks[w] = r->marks[w] = 0;
    g.small = g.marked = g.parts = 0;
    r->stopped = GOES_ON;
    for (int64_t number = first; number < last && !r->stopped; number++) {
        int turn = rotate ? (int)(number % SEATS) : 0;
        count_game(r, &g, t, derived(seed, (uint64_t)number), limit, turn);
    }
    add_small(&g, t);
    add_marks(&g, t);
    add_ends(&g, t);
    for (int m = 0; m < MARKS; m++)
        marks_of(r)[m] = t->marks[m] > 0;
    r->used = used;
    return r->stopped;
}

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif

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
