/* ---- functions declared in the header ---- */

uint32_t game_abi(void) { return GAME_ABI; }

uint64_t game_least_bytes(void) { return sizeof(run) + 64 * ROW * sizeof(int32_t) * 4; }

game_run *game_make(void *memory, uint64_t bytes) {
    if (!memory || (uintptr_t)memory % 16 || bytes < game_least_bytes())
        return 0;
    unsigned char *byte = memory;
    for (uint64_t i = 0; i < sizeof(run); i++)
        byte[i] = 0;
    run *r = memory;
    own_make(r, bytes);
    S[AT_DECISION] = OVER;
    S[AT_SEAT] = S[AT_BLOCK] = -1;
    return (game_run *)r;
}

/* Result code of the header for a stopped run. */
static int32_t result_of(const run *r) {
    switch (r->stopped) {
    case NOT_STOPPED: return S[AT_DECISION] == OVER ? GAME_ENDED : GAME_DECIDES;
    case FAULTED: return GAME_FAULTED;
    case HALTED: return GAME_STOPPED;
    default: return GAME_NO_ROOM;
    }
}

int32_t game_start(game_run *of, uint64_t seed) {
    run *r = (run *)of;
    start(r, seed);
    advance(r);
    return result_of(r);
}

int32_t game_seat(const game_run *of) { return (int32_t)((const run *)of)->cells[AT_SEAT]; }

int32_t game_decision(const game_run *of) {
    cell decision = ((const run *)of)->cells[AT_DECISION];
    return decision >= 0 ? (int32_t)decision : -1;
}

int32_t game_count(const game_run *of) { return ((const run *)of)->count; }

const int32_t *game_move(const game_run *of, int32_t number) {
    const run *r = (const run *)of;
    return number >= 0 && number < r->count ? r->options + (int64_t)number * ROW : 0;
}

int32_t game_choose(game_run *of, int32_t number, int64_t milliseconds) {
    run *r = (run *)of;
    if (!game_move(of, number))
        return GAME_NO_MOVE;
    choose(r, r->options + (int64_t)number * ROW, milliseconds < 0 ? 0 : min_of(milliseconds, MAX_ANSWER_TIME_MS));
    advance(r);
    return result_of(r);
}

uint32_t game_winners(const game_run *of) {
    const run *r = (const run *)of;
    return S[AT_DECISION] == OVER ? (uint32_t)S[AT_WINNERS] : 0;
}

int64_t game_points(const game_run *of, int32_t seat) {
    const run *r = (const run *)of;
    return GAME_SCORED && seat >= 0 && seat < SEATS ? S[SCORES[seat]] : 0;
}

const int64_t *game_cells(const game_run *of) { return ((const run *)of)->cells; }

int32_t game_set(game_run *of, const int64_t *cells) {
    run *r = (run *)of;
    copy_cells(S, cells, SIZE);
    advance(r);
    return result_of(r);
}

/* ---- text ---- */

/* Option with its row in the table; null if it does not exist. */
static const named_option *option_of(int32_t decision, int32_t option) {
    if (decision < 0 || decision >= (int32_t)(sizeof FIRST_WAY / sizeof FIRST_WAY[0]) - 1 || option < 0)
        return 0;
    int32_t number = FIRST_WAY[decision] + option;
    return number < FIRST_WAY[decision + 1] ? &OPTIONS[number] : 0;
}

const char *game_decision_name(int32_t decision) {
    return decision >= 0 && decision < (int32_t)(sizeof FIRST_WAY / sizeof FIRST_WAY[0]) - 1 ? DECISIONS[decision] : 0;
}

const char *game_option_name(int32_t decision, int32_t option) {
    const named_option *found = option_of(decision, option);
    return found ? found->name : 0;
}

int32_t game_option_arguments(int32_t decision, int32_t option) {
    const named_option *found = option_of(decision, option);
    return found ? found->count : -1;
}

typedef struct { char *text; int32_t bytes, used; } written;

static void add_text(written *to, const char *text) {
    for (; *text; text++, to->used++)
        if (to->used + 1 < to->bytes)
            to->text[to->used] = *text;
}

static void add_number(written *to, int64_t number) {
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    *--at = 0;
    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        *--at = '-';
    add_text(to, at);
}

static void add_value(written *to, const sort *of, int32_t value) {
    if (of->names == NUMBERS)
        add_number(to, value);
    else if (of->names == TRUTHS)
        add_text(to, value ? "yes" : "no");
    else if (value < 0)
        add_text(to, "nobody");
    else if (of->names == PLAYERS)
        add_number(to, (int64_t)value + 1);
    else
        add_text(to, value < of->count ? of->names[value] : "?");
}

int32_t game_text(const game_run *of, int32_t number, char *text, int32_t bytes) {
    const int32_t *move = game_move(of, number);
    const named_option *option = move ? option_of(game_decision(of), move[0]) : 0;
    written to = {text, bytes, 0};
    if (option) {
        add_text(&to, option->name);
        for (int32_t i = 0; i < option->count; i++) {
            add_text(&to, i ? ", " : "(");
            add_value(&to, &SORTS[OF_ARGUMENTS[option->first + i]], move[i + 1]);
        }
        if (option->count)
            add_text(&to, ")");
    }
    if (bytes > 0)
        text[to.used < bytes ? to.used : bytes - 1] = 0;
    return option ? to.used : -1;
}

static const named_fault *fault_of(const game_run *of) {
    const run *r = (const run *)of;
    return &FAULTS[r->stopped == FAULTED ? r->fault + 1 : 0];
}
const char *game_fault(const game_run *of) { return fault_of(of)->code; }
const char *game_fault_rule(const game_run *of) { return fault_of(of)->rule; }
int32_t game_fault_line(const game_run *of) { return fault_of(of)->line; }

/* ---- bulk work ---- */

game_luck game_luck_of(uint64_t seed) {
    stream s = stream_of(seed, FOR_SAMPLING, 0, 0);
    game_luck luck = {s.counter, s.step};
    return luck;
}

int32_t game_random(game_luck *luck, int32_t n) {
    stream s = {luck->counter, luck->step};
    int32_t found = (int32_t)below(&s, n);
    luck->counter = s.counter;
    return found;
}

uint64_t game_seed_of(uint64_t series, uint64_t number) { return derived(series, number); }

int32_t game_playout(game_run *of, game_luck *luck, int64_t limit, int64_t *length) {
    run *r = (run *)of;
    stream s = {luck->counter, luck->step};
    *length += play_on(r, &s, limit);
    luck->counter = s.counter;
    return result_of(r);
}

int32_t game_perft(game_run *of, uint64_t seed, int32_t depth, int32_t chance, game_level *levels) {
    _Static_assert(sizeof(game_level) == sizeof(level), "a level is what is counted");
    run *r = (run *)of;
    int32_t made = 0;
    r->listed = r->count = 0;
    own_perft(r, seed, depth, chance, (level *)levels, &made);
    r->count = 0;
    return r->stopped == NOT_STOPPED ? made : -result_of(r);
}

void game_stop(game_run *of, int32_t stop) { own_halt((run *)of, stop); }
