/* Playing a game, and functions exported by the library. */

#define SHOWN __attribute__((visibility("default")))

/* Write the chosen option and the answer time (ms) into the state. */
static void choose(run *r, const int32_t *option, cell time) {
    take_down(r, option);
    S[AT_TIME] = time;
}

/* Run to a decision, the end of setup or the end of the game; does nothing at a decision. */
static void run_on(run *r) {
    r->stopped = r->listed = 0;
    if (S[AT_BLOCK] < 0)
        return;
    r->fuel = BUDGET;
    S[AT_DECISION] = OVER;
    go(r);
    if (r->stopped == GAME_OVER) {
        r->stopped = NOT_STOPPED;
        S[AT_DECISION] = OVER;
        S[AT_SEAT] = -1;
        for (int i = FRAMES; i < SIZE; i++)
            S[i] = 0;
    }
    if (r->stopped == NOT_STOPPED && S[AT_DECISION] != READY)
        S[AT_BLOCK] = -1;
}

/* List the options of the decision, with a separate budget. */
static void list(run *r) {
    r->fuel = BUDGET;
    r->stopped = r->count = 0;
    if (S[AT_DECISION] >= 0)
        list_options(r);
}

/* Run through the pause before play to the next decision and list its options; none at the end or after a stop. */
static void advance(run *r) {
    r->count = 0;
    do
        run_on(r);
    while (!r->stopped && S[AT_DECISION] == READY);
    if (!r->stopped && !r->listed)
        list(r);
    if (r->stopped)
        r->count = 0;
}

/* Initialise a state before setup. */
static void start(run *r, uint64_t seed) {
    copy_cells(S, INITIAL, SIZE);
    stream setup = stream_of(seed, FOR_SETUP, 0, 0), play = stream_of(seed, FOR_PLAY, 0, 0);
    S[AT_CHANCE] = (cell)setup.counter;
    S[AT_STEP] = (cell)setup.step;
    S[AT_PLAY_CHANCE] = (cell)play.counter;
}

/* Seed of a game in a series. */
static uint64_t derived(uint64_t seed, uint64_t number) {
    stream s = stream_of(seed, FOR_SERIES, 0, 0);
    return mix(s.counter + (number + 1) * s.step);
}

/* Play at random from the listed options; returns the number of decisions, at most `limit`. */
static int64_t play_on(run *r, stream *luck, int64_t limit) {
    for (int64_t n = 0; n < limit; n++) {
        if (!r->count || !goes_on(r))
            return n;
        choose(r, r->options + (int64_t)below(luck, r->count) * ROW, 0);
        advance(r);
    }
    return limit;
}

/* ---- exported functions: those that can stop return the reason ---- */

SHOWN const char game_source[] = SOURCE;

/* Number of cells, length of an option row, number of marks, and size of a run without its work area. */
SHOWN const int32_t game_sizes[] = {SIZE, ROW, MARKS, sizeof(run)};

/* Make a run in zeroed memory of this size; a quarter of its work area is for options. */
SHOWN void game_make(run *r, uint64_t bytes) {
    r->room = (unsigned char *)r;
    r->size = bytes;
    r->used = sizeof(run);
    uint64_t rows = (bytes - sizeof(run)) / 4 / (ROW * sizeof(int32_t));
    r->most = rows > INT32_MAX ? INT32_MAX : (int32_t)rows;
    r->options = more_room(r, (uint64_t)r->most * ROW * sizeof(int32_t));
}

SHOWN cell *game_cells(run *r) { return S; }
SHOWN const int32_t *game_listed(const run *r) { return r->options; }
SHOWN int32_t game_count(const run *r) { return r->count; }
SHOWN int32_t game_fault(const run *r) { return r->fault; }
SHOWN uint8_t *game_marks(run *r) { return marks_of(r); }

/* Cancel a long computation from another thread, or allow the next one. */
SHOWN void game_halt(run *r, int32_t halt) { r->halt = halt; }

SHOWN void game_start(run *r, uint64_t seed) { start(r, seed); }

SHOWN int game_run(run *r) {
    run_on(r);
    return r->stopped;
}

SHOWN int game_advance(run *r) {
    advance(r);
    return r->stopped;
}

SHOWN int game_options(run *r) {
    list(r);
    return r->stopped;
}

/* Verdict of `endless` with a budget of `*fuel`, which becomes the remaining budget. */
SHOWN int game_search(run *r, int decision, cell seat, int first, int end, int32_t *fuel, int32_t *found) {
    r->stopped = NOT_STOPPED;
    r->fuel = *fuel;
    *found = endless(r, decision, seat, first, end);
    *fuel = r->fuel;
    return r->stopped;
}

/* Play at random to the end; updates the stream and writes the number of decisions. */
SHOWN int game_playout(run *r, stream *luck, int64_t limit, int64_t *length) {
    advance(r);
    *length = r->stopped ? 0 : play_on(r, luck, limit);
    return r->stopped;
}

/* Update a fingerprint with a state: for each cell multiply by 31 and add the cell. */
static uint64_t taken_in(uint64_t fingerprint, const run *r) {
    enum { ONE = 31, TWO = ONE * ONE, THREE = TWO * ONE, FOUR = THREE * ONE };
    int i = 0;
    for (; i + 4 <= SIZE; i += 4)  /* four at once, because the products would wait for each other */
        fingerprint = fingerprint * FOUR + ((uint64_t)S[i] * THREE + (uint64_t)S[i + 1] * TWO +
                                            (uint64_t)S[i + 2] * ONE + (uint64_t)S[i + 3]);
    for (; i < SIZE; i++)
        fingerprint = fingerprint * ONE + (uint64_t)S[i];
    return fingerprint;
}

/* Random games `first` to `last` (exclusive) of a series.  Adds their decisions and updates the fingerprint of their
   final positions. */
SHOWN int game_playouts(run *r, uint64_t seed, int64_t first, int64_t last, int64_t limit, int64_t *decisions,
                          uint64_t *fingerprint) {
    for (int64_t number = first; number < last; number++) {
        uint64_t own = derived(seed, (uint64_t)number);
        stream luck = stream_of(own, FOR_SAMPLING, 0, 0);
        start(r, own);
        advance(r);
        *decisions += r->stopped ? 0 : play_on(r, &luck, limit);
        if (r->stopped)
            return r->stopped;
        *fingerprint = taken_in(*fingerprint, r);
    }
    return NOT_STOPPED;
}

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif
