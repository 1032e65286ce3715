"""The conformance kit: our games pass, and every check finds the fault that is planted for it, and no other does."""

import copy
import itertools
import os
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor

from cardenvs import games
from cardenvs.core.errors import IllegalActionError
from cardenvs.engine.batch import BatchGame
from cardenvs.envs.aec import CardAECEnv, CheckedAECEnv
from cardenvs.envs.single import SingleEnv
from cardenvs.envs.vector import CardVectorEnv
from cardenvs.testing import ConformanceError, check_aec, check_batch, check_gymnasium, check_vector
from cardenvs.testing.aec import AEC_CHECKS
from cardenvs.testing.batch import BATCH_CHECKS
from cardenvs.testing.shared import SHARED
from cardenvs.testing.single import GYMNASIUM_CHECKS
from cardenvs.testing.vector import VECTOR_CHECKS, make_vector
from tests.tables import every_game

ROOT = Path(__file__).resolve().parents[1]
GAME = "uno_all_wild"
FEW = 19
OPTIONS = {"num_players": 2, "max_decisions": 12}
ALWAYS_LEGAL = {"wild_twists"}  # games in which nothing is ever masked out


def failures_of(checked, make, **settings):
    """The names of the checks that fail."""
    try:
        checked(make, steps=settings.pop("steps", FEW), **settings)
    except ConformanceError as error:
        return [result.name for result in error.failures]
    return []


# --- what is in order -------------------------------------------------------------------------------------------------


@every_game
def test_our_games_pass(name):
    settings, most = {"steps": FEW, "cap": "max_decisions"}, {"max_decisions": 13}
    made_here = partial(BatchGame, name)  # what a lambda makes is not tried in another process: one face is enough
    results = [
        *check_aec(partial(CardAECEnv, name, **most), zero_sum=True, **settings),
        *check_gymnasium(
            lambda **more: gymnasium.make(games.env_id(name), **most | more), predict_steps=64, **settings
        ),
        *check_vector(lambda **more: make_vector(games.env_id(name), **most | more), **settings),
        *check_batch(lambda **more: made_here(**most | more), steps=FEW),
    ]
    skipped = {result.name for result in results} - {r.name for r in results if r.outcome == "passed"}
    assert skipped <= (OF_OFFENCES if name in ALWAYS_LEGAL else set())


OF_OFFENCES = {
    "masked_out_actions_are_refused",
    "raised_refusals_change_nothing",
    "reset_after_an_illegal_action_is_as_new",
    "every_agent_is_told_of_the_end_whoever_finishes",
}


# --- faults of PettingZoo's environments ------------------------------------------------------------------------------


class WrongType(CheckedAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent == self.agent_selection:
            seen["observation"] = seen["observation"].astype(np.float64)
        return seen


class OtherMaskInInfo(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self._tell_another()

    def step(self, action):
        super().step(action)
        self._tell_another()

    def _tell_another(self):
        if self.agents:
            self.infos[self.agent_selection] = {"action_mask": np.ones(len(self._mask), np.int8)}


class EmptyMask(CheckedAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        if self._games.decisions[0] == 3:
            seen["action_mask"][:] = 0
        return seen


class LegalAfterTheEnd(CheckedAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent == self.agent_selection and self.terminations[agent] | self.truncations[agent]:
            seen["action_mask"][0] = 1
        return seen


class TakesAnything(CheckedAECEnv):
    def _end_for_offence(self, agent):
        self._take(agent, int(self._mask.argmax()))


class RefusesTooLate(CardAECEnv):
    def step(self, action):
        try:
            super().step(action)
        except IllegalActionError:
            self._take(self.agent_selection, int(self._mask.argmax()))
            raise


class CallsTheLegalIllegal(CheckedAECEnv):
    def _take(self, agent, action):
        if action == np.flatnonzero(self._mask)[-1]:
            EnvLogger.warn_on_illegal_move()
        super()._take(agent, action)


class OneBuffer(CheckedAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        kept = self.__dict__.setdefault("_kept", {}).setdefault(agent, seen)
        kept["observation"][:] = seen["observation"]
        return kept | {"action_mask": seen["action_mask"]}


class RemembersOffences(CheckedAECEnv):
    _offended = False

    def _end_for_offence(self, agent):
        self._offended = True
        super()._end_for_offence(agent)

    def reset(self, seed=None, options=None):
        super().reset(seed if seed is None else seed + self._offended, options)


class RemembersTheLastGame(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        unfinished = bool(self.__dict__.get("agents")) and not any(self.terminations.values())
        super().reset(seed if seed is None else seed + unfinished, options)


class RefusesOptions(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        if options:
            raise KeyError("what is this?")
        super().reset(seed, options)


class SeedOfItsOwn(CheckedAECEnv):
    made = itertools.count()

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._number = next(self.made)

    def reset(self, seed=None, options=None):
        super().reset(seed if seed is None else seed + self._number, options)


class SeedByHash(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        super().reset(seed if seed is None else seed + hash("a game") % 1000, options)


class AlwaysTheSameGame(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        self._last = self.__dict__.get("_last", 0) if seed is None else seed
        super().reset(self._last, options)


class FreshEntropy(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        super().reset(int.from_bytes(os.urandom(4), "little") if seed is None else seed, options)


class SeedsTheWorld(CheckedAECEnv):
    def reset(self, seed=None, options=None):
        np.random.seed(0)
        super().reset(seed, options)


class CopiesAsNew(CheckedAECEnv):
    def __deepcopy__(self, memo):
        twin = type(self)(GAME, **OPTIONS)
        twin.reset(seed=0)
        return twin


class CannotBePickled(CheckedAECEnv):
    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle this")

    def __deepcopy__(self, memo):
        twin = object.__new__(type(self))
        twin.__setstate__(copy.deepcopy(self.__dict__, memo))
        return twin


class TerminatesAtTheCap(CheckedAECEnv):
    def _finish(self):
        super()._finish()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, False)


class MaskForEverybody(CheckedAECEnv):
    def observe(self, agent):
        return super().observe(agent) | {"action_mask": self._mask.astype(np.int8)}


class OthersSeeWrongType(CheckedAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent != self.agent_selection:
            seen["observation"] = seen["observation"].astype(np.float64)
        return seen


class LookingCounts(CheckedAECEnv):
    _looked = _counts = False

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self._looked = self._counts = False

    def step(self, action):
        self._counts = self._looked
        super().step(action)

    def observe(self, agent):
        seen = super().observe(agent)
        if self._counts:
            seen["observation"][0] = -1
        self._looked |= agent != self.agent_selection
        return seen


class PaysTwice(CheckedAECEnv):
    def _take(self, agent, action):
        super()._take(agent, action)
        self._cumulative_rewards[agent] *= 2


class PaysTheActorAlone(CheckedAECEnv):
    def _take(self, agent, action):
        super()._take(agent, action)
        self._cumulative_rewards = {each: self._cumulative_rewards[each] * (each == agent) for each in self.agents}


class PaysTooMuch(CheckedAECEnv):
    def _accumulate_rewards(self):
        self.rewards[self.agents[0]] += 0.5
        super()._accumulate_rewards()


class ForgetsAnAgent(CheckedAECEnv):
    def _finish(self):
        super()._finish()
        if not any(self.rewards.values()):
            gone = self.agents.pop()
            for kept in (self.rewards, self.terminations, self.truncations, self.infos, self._cumulative_rewards):
                del kept[gone]


class HidesTheMask(BaseWrapper):
    def observe(self, agent):
        return {"observation": super().observe(agent)["observation"]}


AEC_FAULTS = {
    WrongType: "what_is_told_lies_in_its_space",
    OtherMaskInInfo: "masks_agree",
    EmptyMask: "live_decisions_have_a_legal_action",
    LegalAfterTheEnd: "nothing_is_legal_after_the_end",
    TakesAnything: "masked_out_actions_are_refused",
    RefusesTooLate: "raised_refusals_change_nothing",
    CallsTheLegalIllegal: "masked_in_actions_are_accepted",
    OneBuffer: "arrays_are_fresh",
    RemembersOffences: "reset_after_an_illegal_action_is_as_new",
    RemembersTheLastGame: "reset_in_mid_game_is_as_new",
    RefusesOptions: "unknown_reset_options_are_harmless",
    SeedOfItsOwn: "same_seed_same_game",
    SeedByHash: "other_processes_play_the_same_game",
    AlwaysTheSameGame: "reset_without_a_seed_goes_on_in_the_stream",
    FreshEntropy: "reset_without_a_seed_goes_on_in_the_stream",
    SeedsTheWorld: "global_random_state_is_untouched",
    CopiesAsNew: "deepcopies_go_on_identically",
    CannotBePickled: "pickles_go_on_identically",
    TerminatesAtTheCap: "the_cap_truncates",
    MaskForEverybody: "who_is_not_asked_has_no_mask",
    OthersSeeWrongType: "every_agent_can_be_observed_at_any_time",
    LookingCounts: "observing_changes_nothing",
    PaysTwice: "last_rewards_add_up_to_the_return",
    PaysTheActorAlone: "rewards_reach_who_is_not_on_move",
    PaysTooMuch: "rewards_sum_to_zero",
    ForgetsAnAgent: "every_agent_is_told_of_the_end_whoever_finishes",
    HidesTheMask: "wrappers_keep_the_masks",
}
TO_THE_END = {PaysTwice, PaysTheActorAlone, PaysTooMuch}  # rewards come at the end of a round


@pytest.mark.parametrize("fault", AEC_FAULTS, ids=lambda fault: fault.__name__)
def test_faults_of_aec_environments(fault):
    wrappers = (fault,) if fault is HidesTheMask else (OrderEnforcingWrapper,)
    options = {"num_players": 2} if fault in TO_THE_END else OPTIONS
    faulty = partial(CheckedAECEnv if fault is HidesTheMask else fault, GAME, **options)
    make = faulty if fault is SeedByHash else lambda **more: faulty(**more)
    settings = {"zero_sum": True, "cap": "max_decisions", "wrappers": wrappers}
    steps = 59 if fault in TO_THE_END else FEW
    assert failures_of(check_aec, make, steps=steps, **settings) == [AEC_FAULTS[fault]]


def test_every_check_of_aec_environments_has_a_fault():
    assert set(AEC_FAULTS.values()) == {each.__name__ for each in AEC_CHECKS}


# --- faults of Gymnasium's --------------------------------------------------------------------------------------------


class OutOfBounds(SingleEnv):
    def step(self, action):
        observation, *rest = super().step(action)
        observation[0] = 2
        return observation, *rest


class StaleMasks(SingleEnv):
    def action_masks(self):
        if self._games.decisions[0] > 3:
            return np.ones(len(self._mask), bool)
        return super().action_masks()


class ViewOfTheMask(SingleEnv):
    def _info(self):
        return {"action_mask": self._mask.view(np.int8)}


class EndIsLegal(SingleEnv):
    def _info(self):
        info = super()._info()
        if self._ends[0]:
            info["action_mask"][0] = 1
        return info

    def action_masks(self):
        return self._info()["action_mask"] > 0


class IllegalIsFree(SingleEnv):
    def step(self, action):
        observation, reward, *rest = super().step(action)
        return observation, 0.0 if "illegal_action" in rest[-1] else reward, *rest


class WarnsOfTheLegal(SingleEnv):
    def step(self, action):
        if action == np.flatnonzero(self._mask)[-1]:
            warnings.warn("an illegal action", stacklevel=2)
        return super().step(action)


class MaskDropper(gymnasium.Wrapper):
    def step(self, action):
        return *self.env.step(action)[:4], {}


GYMNASIUM_FAULTS = {
    OutOfBounds: "what_is_told_lies_in_its_space",
    StaleMasks: "masks_agree",
    ViewOfTheMask: "arrays_are_fresh",
    EndIsLegal: "nothing_is_legal_after_the_end",
    IllegalIsFree: "masked_out_actions_are_refused",
    WarnsOfTheLegal: "masked_in_actions_are_accepted",
    MaskDropper: "wrappers_keep_the_masks",
}


@pytest.mark.parametrize("fault", GYMNASIUM_FAULTS, ids=lambda fault: fault.__name__)
def test_faults_of_gymnasium_environments(fault):
    settings = {"wrappers": (fault,)} if fault is MaskDropper else {}
    faulty = partial(SingleEnv if fault is MaskDropper else fault, GAME, **OPTIONS)
    assert failures_of(check_gymnasium, lambda: faulty(), predict_steps=0, **settings) == [GYMNASIUM_FAULTS[fault]]


def test_a_monitor_that_hides_the_masks(monkeypatch):
    monkeypatch.setattr(Monitor, "step", MaskDropper.step)
    make = partial(SingleEnv, GAME, **OPTIONS)
    assert failures_of(check_gymnasium, lambda: make(), predict_steps=0) == ["monitor_keeps_the_masks"]


def test_a_policy_that_forgets_the_masks(monkeypatch):
    predict = MaskablePPO.predict
    monkeypatch.setattr(MaskablePPO, "predict", lambda self, seen, action_masks: predict(self, seen))
    make = partial(SingleEnv, GAME, **OPTIONS)
    assert failures_of(check_gymnasium, lambda: make(), predict_steps=64) == ["maskable_ppo_never_acts_illegally"]


# --- faults of vector environments ------------------------------------------------------------------------------------


class PaysAtTheReset(CardVectorEnv):
    def step(self, actions):
        was_over = self._table.over.copy()
        observations, rewards, *rest = super().step(actions)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            rewards[was_over] = 1.0
        return observations, rewards, *rest


class NoFinalObservation(CardVectorEnv):
    def step(self, actions):
        *rest, infos = super().step(actions)
        infos.pop("final_obs", None)
        return *rest, infos


class FinalIsTheNext(CardVectorEnv):
    def step(self, actions):
        observations, *rest, infos = super().step(actions)
        for row in np.flatnonzero(infos.get("_final_obs", ())):
            infos["final_obs"][row] = observations[row].copy()
        return observations, *rest, infos


class ResetsAll(CardVectorEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed, options={} if options and "reset_mask" in options else options)


class OneObservationBuffer(CardVectorEnv):
    def step(self, actions):
        _, *rest = super().step(actions)
        return self._table.observations, *rest


VECTOR_FAULTS = {
    PaysAtTheReset: "next_step_autoreset_deals_in_the_step_after",
    NoFinalObservation: "same_step_autoreset_tells_what_was_last",
    FinalIsTheNext: "same_step_autoreset_tells_what_was_last",
    ResetsAll: "disabled_autoreset_deals_where_it_is_told",
    OneObservationBuffer: "arrays_are_fresh",
}


@pytest.mark.parametrize("fault", VECTOR_FAULTS, ids=lambda fault: fault.__name__)
def test_faults_of_vector_environments(fault):
    faulty = partial(fault, GAME, num_envs=3, **OPTIONS)
    assert failures_of(check_vector, lambda **more: faulty(**more)) == [VECTOR_FAULTS[fault]]


# --- faults of batches ------------------------------------------------------------------------------------------------


class ObservationsTooLarge(BatchGame):
    def observe(self, seat=None, out=None):
        seen = super().observe(seat, out)
        return seen if seat is None else seen * 3


class OneWinsTooMuch(BatchGame):
    @property
    def rewards(self):
        return super().rewards * [1, 2]


class SharedRows(BatchGame):
    def __getitem__(self, index):
        part = super().__getitem__(index)
        if isinstance(index, int):
            part._allocate(self._states[index : index + 1])
            part._mask[:], part._ends[:] = self._mask[index], self._ends[index]
        return part


class ShowsItsMask(BatchGame):
    def legal(self, out=None):
        return self._mask


BATCH_FAULTS = {
    ObservationsTooLarge: "every_seat_can_be_observed_at_any_time",
    OneWinsTooMuch: "rewards_sum_to_zero",
    SharedRows: "an_item_is_a_copy_of_its_row",
    ShowsItsMask: "arrays_are_fresh",
}


@pytest.mark.parametrize("fault", BATCH_FAULTS, ids=lambda fault: fault.__name__)
def test_faults_of_batches(fault):
    make = partial(fault, GAME, num_players=2)
    assert failures_of(check_batch, lambda **more: make(**more), steps=60) == [BATCH_FAULTS[fault]]


def test_every_check_of_every_face_has_a_fault():
    proven = {each.__name__ for each in SHARED} | set(GYMNASIUM_FAULTS.values()) | set(VECTOR_FAULTS.values())
    proven |= set(BATCH_FAULTS.values()) | {"monitor_keeps_the_masks", "maskable_ppo_never_acts_illegally"}
    assert {each.__name__ for each in (*GYMNASIUM_CHECKS, *VECTOR_CHECKS, *BATCH_CHECKS)} == proven


# --- how it is told ---------------------------------------------------------------------------------------------------


class TwoFaults(SeedsTheWorld, MaskForEverybody):
    pass


def test_an_error_names_every_failure_and_how_to_fix_it():
    with pytest.raises(ConformanceError) as raised:
        check_aec(lambda: TwoFaults(GAME, **OPTIONS), steps=FEW)
    told = str(raised.value)
    for name in ("global_random_state_is_untouched", "who_is_not_asked_has_no_mask"):
        assert name in told
    assert told.count("expected: ") == told.count("found:    ") == told.count("fix:      ") == 2


def run_module(*arguments):
    command = [sys.executable, "-m", "cardenvs.testing", *arguments, "--steps", "10"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command_prints_a_table():
    done = run_module("cardenvs.uno_all_wild_v0", "num_players=2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed   masked_in_actions_are_accepted" in done.stdout and "26 checks, 0 failed" in done.stdout


def test_the_command_fails_if_a_check_does():
    done = run_module("tests.test_testing:MaskForEverybody", "game=uno_all_wild")
    assert done.returncode == 1
    assert "failed   who_is_not_asked_has_no_mask" in done.stdout and "26 checks, 1 failed" in done.stdout
