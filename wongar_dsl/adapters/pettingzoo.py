"""PettingZoo environments: sequential (AEC), and parallel for games in which all seats always act simultaneously.

Agents are called `player_1`, `player_2`, … An observation is a dictionary with a vector (`observation`) and a mask of
legal actions (`action_mask`), which is also in the infos.  Rewards are given at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ImportError as error:
    raise ImportError("this needs PettingZoo and numpy, which come with the extra `pettingzoo`") from error

from wongar_dsl.adapters.actions import WHOLE, Actions
from wongar_dsl.adapters.episode import MAX_ACTIONS, Episode, Utility, game_of, payoffs, simultaneous_seats
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import derive
from wongar_dsl.engine import Game
from wongar_dsl.engine.hidden_information.observation import observe

Observation = dict[str, Any]
_INT32 = np.iinfo(np.int32)


class _Environment:
    """Spaces of the agents and the game in progress, common to both kinds of environments."""

    def __init__(
        self, game: Game, whole: int | None, longest: int, utility: Utility, name: str, render_mode: str | None
    ) -> None:
        """Prepare the game; `name` is appended to its name."""
        self.game = game
        self.actions = Actions(game, whole)
        if not self.actions.size:
            raise ValueError(f"nobody decides anything in {game.name}")
        self.observations = Observations(game)
        self.longest, self.utility = longest, utility
        parallel = name.startswith("parallel")
        name = f"{game.name.replace('/', '_')}_{name}"
        self.metadata = {"name": name, "is_parallelizable": parallel, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat + 1}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self._action_spaces = {agent: Discrete(self.actions.size) for agent in self.possible_agents}
        size, actions = (self.observations.size,), (self.actions.size,)
        self._observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(_INT32.min, _INT32.max, size, np.int32),
                    "action_mask": Box(0, 1, actions, np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._empty_mask = np.zeros(self.actions.size, dtype=np.int8)
        self._seed, self._games = 0, 0
        #: Game in progress: state and legal actions.
        self.play = Episode(game, self.actions, 0, longest)

    def _begin(self, seed: int | None) -> None:
        """Begin a game.  Without a seed begins the next game of the series of the last seed."""
        if seed is not None:
            self._seed, self._games = seed, 0
        else:
            self._games += 1
        # The first game of a seed has that seed, as on the command line.
        game_seed = derive(self._seed, self._games) if self._games else self._seed
        self.play = Episode(self.game, self.actions, game_seed, self.longest)
        self.agents = list(self.possible_agents)

    def _mask_for(self, legal: list[int]) -> Any:
        """Return the action mask for a list of legal actions."""
        mask = self._empty_mask.copy()
        mask[legal] = 1
        return mask

    def _observation(self, agent: str, mask: Any) -> Observation:
        """Return the observation of an agent with its action mask."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.observations.observe(self.play.state.cells, seat), "action_mask": mask}

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of an agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space of an agent."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Return the state as visible to a spectator, as text with one line per field."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(f"{name}: {value}" for name, value in observe(self.play.state, None).items())

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


class RawEnv(_Environment, AECEnv, EzPickle):  # type: ignore[misc]
    """Sequential environment.  Agents that act simultaneously do not see each other's choices."""

    def __init__(
        self, rules: str | Path | Game, seats: int | None = None, settings: Mapping[str, int] | None = None,
        whole: int | None = WHOLE, longest: int = MAX_ACTIONS, utility: Utility = "win", render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """Create the environment.

        `rules`, `seats` and `settings` are those of `wongar_dsl.load`, `whole` that of `actions.Actions`.  A game is
        truncated after `longest` actions.  `utility` makes rewards shares of the win or scores.  Raises ValueError for
        a game without decisions, and `PlayFault` if the rules fail.
        """
        AECEnv.__init__(self)
        EzPickle.__init__(self, rules, seats, settings, whole, longest, utility, render_mode)
        _Environment.__init__(self, game_of(rules, seats, settings), whole, longest, utility, "v0", render_mode)

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Begin a game; without a seed, the next one of the last series.  `options` is ignored."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._select_next()

    def step(self, action: int | None) -> None:
        """Apply an action of the selected agent; None after the game has ended for it.

        Raises ValueError for an illegal action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is needed")
        self.play.take(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._select_next()
        self._accumulate_rewards()

    def _select_next(self) -> None:
        """Select the agent to act and update masks, or set the rewards at the end."""
        play = self.play
        if play.over or play.truncated:
            self.terminations = dict.fromkeys(self.agents, play.over)
            self.truncations = dict.fromkeys(self.agents, play.truncated)
            self.rewards = dict(zip(self.agents, payoffs(play.state, self.utility), strict=True))
        else:
            self.agent_selection = self.possible_agents[play.state.seat]
        self._mask = self._mask_for(play.legal)
        for agent, info in self.infos.items():
            info["action_mask"] = self._mask_of(agent)

    def _mask_of(self, agent: str) -> Any:
        return self._mask if agent == self.agent_selection else self._empty_mask

    def observe(self, agent: str) -> Observation:
        """Return the observation and the action mask of an agent."""
        return self._observation(agent, self._mask_of(agent))


def env(rules: str | Path | Game, **options: Any) -> AECEnv:
    """Return a sequential environment in PettingZoo's standard wrappers.

    `options` are those of `RawEnv`.  An agent that takes an illegal action loses.
    """
    wrapped = TerminateIllegalWrapper(RawEnv(rules, **options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


class SimultaneousEnv(_Environment, ParallelEnv, EzPickle):  # type: ignore[misc]
    """Parallel environment for a game in which all decisions are simultaneous.

    An agent without a pending decision may only take action 0, which has no effect.
    """

    def __init__(
        self, rules: str | Path | Game, seats: int | None = None, settings: Mapping[str, int] | None = None,
        longest: int = MAX_ACTIONS, utility: Utility = "win", render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """Create the environment as `RawEnv` does.  Raises ValueError for a game with a sequential decision."""
        EzPickle.__init__(self, rules, seats, settings, longest, utility, render_mode)
        game = game_of(rules, seats, settings)
        _Environment.__init__(self, game, None, longest, utility, "parallel_v0", render_mode)
        if not all(decision.simultaneous for decision in game.program.decisions):
            raise ValueError(f"in {game.name} not all choose at once: use env")

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; without a seed, the next one of the last series.  `options` is ignored."""
        self._begin(seed)
        return self._observe_all()

    def step(self, actions: Mapping[str, int]) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:  # fmt: skip
        """Apply the actions of all agents.  Raises ValueError if one is illegal; the game has not changed then."""
        play, agents = self.play, self.agents
        for agent in agents:
            if actions.get(agent) not in np.flatnonzero(self._masks[agent]):
                raise ValueError(f"action {actions.get(agent)} of {agent} is not legal")
        for seat in self._acting_seats:
            if not play.truncated:
                play.take(int(actions[self.possible_agents[seat]]))
        observations, infos = self._observe_all()
        rewards = dict.fromkeys(agents, 0.0)
        if play.over or play.truncated:
            rewards = dict(zip(agents, payoffs(play.state, self.utility), strict=True))
            self.agents = []
        over, broken_off = dict.fromkeys(agents, play.over), dict.fromkeys(agents, play.truncated)
        return observations, rewards, over, broken_off, infos

    def _observe_all(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Return observations and infos of all agents, and update the masks."""
        play = self.play
        self._masks = dict.fromkeys(self.agents, self._mask_for([0]))
        self._acting_seats: list[int] = []
        if not (play.over or play.truncated):
            number = play.state.cells[ir.AT_DECISION]
            for seat, options in simultaneous_seats(self.game, play.state.cells):
                self._acting_seats.append(seat)
                self._masks[self.possible_agents[seat]] = self._mask_for(self.actions.legal(number, options))
        observations = {agent: self._observation(agent, self._masks[agent]) for agent in self.agents}
        return observations, {agent: {"action_mask": self._masks[agent]} for agent in self.agents}


def parallel_env(rules: str | Path | Game, **options: Any) -> SimultaneousEnv:
    """Return a parallel environment for a simultaneous game.  `options` are those of `SimultaneousEnv`."""
    return SimultaneousEnv(rules, **options)
