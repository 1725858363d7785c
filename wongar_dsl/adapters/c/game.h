/* @TITLE@

   Made with `wongar compile`, version @VERSION@, of rules with the fingerprint @RULES@.

   The state of a game is stored in memory of the caller, a `game_run`.  There can be any number of runs; each must be
   used by one thread at a time.  There is no other state, no allocation, and no call even of the C library.

       game_run *run = game_make(memory, bytes);
       int result = game_start(run, seed);
       while (result == GAME_DECIDES)
           result = game_choose(run, pick(game_count(run)), 0);

   Seats, decisions, options and moves are counted from 0.  Texts are UTF-8, as in saves and at the prompt of `wongar`.

   Decisions with their options:

@DECISIONS@
*/

#ifndef GAME_H
#define GAME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface; it changes when programs written for the old one have to be changed. */
#define GAME_ABI 1

enum {
    GAME_SEATS = @SEATS@,         /* number of players */
    GAME_CELLS = @CELLS@,         /* numbers in a position */
    GAME_ARGUMENTS = @ARGUMENTS@,     /* maximum number of arguments of an option */
    GAME_LONGEST_MOVE = @LONGEST@,  /* maximum length of a move as text in bytes, with the terminating 0 */
    GAME_SCORED = @SCORED@         /* 1 if the game has points, otherwise 0 */
};

/* Decisions and options by their names in the rules. */
enum {
@CONSTANTS@
};

/* Result codes. */
enum {
    GAME_DECIDES = 0,   /* a seat has to choose one of the listed moves */
    GAME_ENDED = 1,     /* the game is over */
    GAME_FAULTED = 2,   /* the rules caused a run-time error: see `game_fault` */
    GAME_NO_ROOM = 3,   /* the memory is too small: continue from an earlier position in a larger run */
    GAME_NO_MOVE = 4,   /* the move does not exist; the position is unchanged */
    GAME_STOPPED = 5    /* `game_stop` was called */
};

/* After GAME_FAULTED, GAME_NO_ROOM and GAME_STOPPED a run has no position: start it or set one before you continue. */
typedef struct game_run game_run;

/* Stream of random numbers. */
typedef struct { uint64_t counter, step; } game_luck;

/* Result of `game_perft` for one depth: histories of the game (low and high 64 bits), distinct positions and rolls, and
   finished histories. */
typedef struct { uint64_t courses[2], different, over[2]; } game_level;

/* Value of GAME_ABI in the linked source: compare it if the header may be of another version. */
uint32_t game_abi(void);

/* ---- memory ---- */

/* Minimum size of a run in bytes; with more it can list more moves and count more histories. 64 MiB are plenty.  Unused
   memory is never touched. */
uint64_t game_least_bytes(void);

/* Make a run in memory of this size, which must be aligned to 16 bytes; null if it is not, or if it is too small.  The
   run needs no clean-up: just release the memory. */
game_run *game_make(void *memory, uint64_t bytes);

/* ---- playing ---- */

/* Start a game at a seed and run to its first decision.  Returns GAME_DECIDES, GAME_ENDED, or a fault. */
int32_t game_start(game_run *run, uint64_t seed);

/* Seat to act; -1 when the game is over. */
int32_t game_seat(const game_run *run);

/* Number of the current decision; -1 when the game is over. */
int32_t game_decision(const game_run *run);

/* Number of available moves; 0 when the game is over. */
int32_t game_count(const game_run *run);

/* Move by its number, below `game_count`: its option, then the arguments of the option; null for another number.  It is
   valid until the game continues.  An argument is a number, yes (1) or no (0), a seat, or the number of a value in the
   order of the rules; -1 means none. */
const int32_t *game_move(const game_run *run, int32_t number);

/* Make a move after this time in ms (0 without a clock), and run to the next decision.  Returns GAME_DECIDES,
   GAME_ENDED, GAME_NO_MOVE, or a fault. */
int32_t game_choose(game_run *run, int32_t number, int64_t milliseconds);

/* Winners as a bit set, in which 1 is the first seat; 0 before the end, and without a winner. */
uint32_t game_winners(const game_run *run);

/* Points of a seat, now or at the end; 0 in a game without points, and for a seat that does not exist. */
int64_t game_points(const game_run *run, int32_t seat);

/* ---- positions ---- */

/* The complete position as GAME_CELLS numbers, including hidden information and random streams: equal numbers are equal
   positions.  The array is read-only and changes when the game continues. */
const int64_t *game_cells(const game_run *run);

/* Set a position that `game_cells` returned, for this run or another one of the same game.  Returns GAME_DECIDES,
   GAME_ENDED, or a fault.  Other numbers are undefined behaviour. */
int32_t game_set(game_run *run, const int64_t *cells);

/* ---- texts ---- */

/* Name of a decision, and of an option of it; null if it does not exist. */
const char *game_decision_name(int32_t decision);
const char *game_option_name(int32_t decision, int32_t option);

/* Number of arguments of an option; -1 if it does not exist. */
int32_t game_option_arguments(int32_t decision, int32_t option);

/* Write a move as text that `wongar` reads, such as take(heap_a, 3), into a buffer of this size, with a terminating 0.
   It is truncated if there are fewer than GAME_LONGEST_MOVE bytes.  Returns the length of the whole text without the 0;
   -1, and an empty text, if the move does not exist. */
int32_t game_text(const game_run *run, int32_t number, char *text, int32_t bytes);

/* After GAME_FAULTED: the code of the error (for `wongar explain`), the rule, and the line in its file. */
const char *game_fault(const game_run *run);
const char *game_fault_rule(const game_run *run);
int32_t game_fault_line(const game_run *run);

/* ---- bulk work ---- */

/* Stream of random numbers for choices, at a seed. */
game_luck game_luck_of(uint64_t seed);

/* Random number below n, which must be at least 1. */
int32_t game_random(game_luck *luck, int32_t n);

/* Seed of a game in a series. */
uint64_t game_seed_of(uint64_t series, uint64_t number);

/* Play at random from the current position, for at most `limit` decisions; their number is added to `length`.  Returns
   GAME_DECIDES, GAME_ENDED, GAME_STOPPED, or a fault. */
int32_t game_playout(game_run *run, game_luck *luck, int64_t limit, int64_t *length);

/* Count all histories of the game for 0, 1, ... `depth` steps.  `levels` has room for `depth` + 1 entries.  Returns
   their number, which is smaller if all games are over; or the negative of GAME_FAULTED, GAME_NO_ROOM or GAME_STOPPED.
   A step is a decision; with `chance` (1) a roll of the dice is a step too, otherwise (0) chance follows the seed.  The
   run has no position afterwards. */
int32_t game_perft(game_run *run, uint64_t seed, int32_t depth, int32_t chance, game_level *levels);

/* Cancel a long computation from another thread (1), or allow the next one (0). */
void game_stop(game_run *run, int32_t stop);

#ifdef __cplusplus
}
#endif

#endif
