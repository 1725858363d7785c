/* @TITLE@

   Made with `wongar compile`, version @VERSION@, of rules with the fingerprint @RULES@.

   A game lives in memory that the program hands in, a `game_run`; there can be any number of them, each used by one
   thread at a time.  Nothing else is kept, nothing is allocated, and nothing outside is called, not even the C library.

       game_run *run = game_make(memory, bytes);
       int result = game_start(run, seed);
       while (result == GAME_DECIDES)
           result = game_choose(run, pick(game_count(run)), 0);

   Seats, decisions, options and moves are counted from 0.  Texts are UTF-8, as in saves and at the prompt of `wongar`.

   Decisions, each with its options:

@DECISIONS@
*/

#ifndef GAME_H
#define GAME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these functions: another one where a program that was written for the old one has to be changed. */
#define GAME_ABI 1

enum {
    GAME_SEATS = @SEATS@,         /* who plays */
    GAME_CELLS = @CELLS@,         /* numbers that a position is made of */
    GAME_ARGUMENTS = @ARGUMENTS@,     /* the most arguments that an option has */
    GAME_LONGEST_MOVE = @LONGEST@,  /* the most bytes that a move takes as a text, with the 0 at its end */
    GAME_SCORED = @SCORED@         /* whether the game counts points */
};

/* Decisions and options by their names in the rules. */
enum {
@CONSTANTS@
};

/* What comes of going on. */
enum {
    GAME_DECIDES = 0,   /* a seat has to choose one of the moves that are listed */
    GAME_ENDED = 1,     /* the game is over */
    GAME_FAULTED = 2,   /* the rules did what they must not: see `game_fault` */
    GAME_NO_ROOM = 3,   /* the memory is too small: go on from a position before with a run that has more */
    GAME_NO_MOVE = 4,   /* there is no such move; the game stands where it stood */
    GAME_STOPPED = 5    /* `game_stop` was called */
};

/* After GAME_FAULTED, GAME_NO_ROOM and GAME_STOPPED a run holds no position: start it, or set one, before you go on. */
typedef struct game_run game_run;

/* A stream of random numbers. */
typedef struct { uint64_t counter, step; } game_luck;

/* What there is after some number of steps: courses of the game (low and high 64 bits), different positions and rolls,
   and courses that are over by then. */
typedef struct { uint64_t courses[2], different, over[2]; } game_level;

/* GAME_ABI of what is linked: compare it, where the header may be another one's. */
uint32_t game_abi(void);

/* ---- memory ---- */

/* The fewest bytes that a run can be made in; more let it list more moves and count more courses.  64 MiB are plenty:
   what is not used is never touched. */
uint64_t game_least_bytes(void);

/* Make a run in memory of so many bytes, which begins at a multiple of 16; a null pointer where it does not, or where
   there are fewer than the least.  It is given back with the memory: nothing has to be closed. */
game_run *game_make(void *memory, uint64_t bytes);

/* ---- playing ---- */

/* Begin a game, whose chance comes of a seed, and go on to its first decision.  GAME_DECIDES, GAME_ENDED, or a fault. */
int32_t game_start(game_run *run, uint64_t seed);

/* Who decides: a seat; -1 when the game is over. */
int32_t game_seat(const game_run *run);

/* What is decided: the number of a decision; -1 when the game is over. */
int32_t game_decision(const game_run *run);

/* How many moves there are to choose from; 0 when the game is over. */
int32_t game_count(const game_run *run);

/* A move by its number, below `game_count`: its option, then that option's arguments; a null pointer for another one.
   It holds until the game goes on.  An argument is a number, yes (1) or no (0), a seat, or the number of a value in the
   order of the rules; -1 is nobody. */
const int32_t *game_move(const game_run *run, int32_t number);

/* Make a move, after so many milliseconds of thought (0 where no clock runs), and go on to the next decision.
   GAME_DECIDES, GAME_ENDED, GAME_NO_MOVE, or a fault. */
int32_t game_choose(game_run *run, int32_t number, int64_t milliseconds);

/* The seats that have won, as bits, the first seat being 1; 0 before the end, and where nobody wins. */
uint32_t game_winners(const game_run *run);

/* The points of a seat, now or at the end; 0 in a game without points, and for a seat that there is not. */
int64_t game_points(const game_run *run, int32_t seat);

/* ---- positions ---- */

/* All of the position, GAME_CELLS numbers: equal numbers are equal positions, hidden things and chance among them.
   To be read, and copied; it changes when the game goes on. */
const int64_t *game_cells(const game_run *run);

/* Go on from a position that `game_cells` gave, of this run or another one of the same game.  GAME_DECIDES, GAME_ENDED,
   or a fault.  Numbers from anywhere else must never be handed in. */
int32_t game_set(game_run *run, const int64_t *cells);

/* ---- texts ---- */

/* The name of a decision, and of an option of it; a null pointer for one that there is not. */
const char *game_decision_name(int32_t decision);
const char *game_option_name(int32_t decision, int32_t option);

/* How many arguments an option has; -1 for one that there is not. */
int32_t game_option_arguments(int32_t decision, int32_t option);

/* Write a move as a text that `wongar` reads, such as take(heap_a, 3), into so many bytes, with a 0 at its end: cut
   short where there are fewer than GAME_LONGEST_MOVE.  How many bytes the whole takes, without the 0; -1, and an empty
   text, where there is no such move. */
int32_t game_text(const game_run *run, int32_t number, char *text, int32_t bytes);

/* After GAME_FAULTED: what went wrong (a code for `wongar explain`), in which rule, and in which line of its file. */
const char *game_fault(const game_run *run);
const char *game_fault_rule(const game_run *run);
int32_t game_fault_line(const game_run *run);

/* ---- many steps at once ---- */

/* The stream of random numbers for choices that belongs to a seed. */
game_luck game_luck_of(uint64_t seed);

/* A random number below n, which is at least 1. */
int32_t game_random(game_luck *luck, int32_t n);

/* The seed of one game in a series that has a seed itself. */
uint64_t game_seed_of(uint64_t series, uint64_t number);

/* Play on at random from the position at hand, but no more than so many decisions, whose number is added to `length`.
   GAME_DECIDES, GAME_ENDED, GAME_STOPPED, or a fault. */
int32_t game_playout(game_run *run, game_luck *luck, int64_t limit, int64_t *length);

/* Count all courses of the game: `levels` has room for `depth` + 1, for 0, 1, ... steps, and as many as there are come
   back, fewer where all is over; below 0: GAME_FAULTED, GAME_NO_ROOM or GAME_STOPPED with a minus before it.  A step is
   a decision; with `chance` (1) a roll of the dice is one too, and without it (0) chance falls as the seed says.
   Afterwards the run holds no position. */
int32_t game_perft(game_run *run, uint64_t seed, int32_t depth, int32_t chance, game_level *levels);

/* From another thread: break off what takes long (1), or let it go on again (0). */
void game_stop(game_run *run, int32_t stop);

#ifdef __cplusplus
}
#endif

#endif
