"""Random numbers: SplitMix64 (Steele, Lea and Flood, 2014), as pure functions of 64-bit keys.

An episode has one *key*. Its dealer, the stream of each of its shuffles and the key of the episode after it are all
hashes of that key and a counter, so nothing depends on the order in which games are stepped, and shuffle n starts from
the same random numbers however the play before it went. Keys with the top bit set are *held out*: a key keeps that bit
from episode to episode and `seed_keys` never sets it, so held-out episodes are none that was trained on.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from cardenvs.core.jit import wrapping

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
HELD_OUT = np.uint64(1 << 63)
BITS_11, BITS_27, BITS_30, BITS_31, BITS_32 = (np.uint64(i) for i in (11, 27, 30, 31, 32))
UNIT = 2.0**-53  # times the upper 53 of 64 random bits: a number from 0 to below 1

# What a hash of the episode's key is for; shuffle n has purpose SHUFFLE_0 + n.
NEXT_EPISODE, DEALER, POLICY, RESAMPLE, SHUFFLE_0 = (np.uint64(i) for i in range(5))

# Beyond any shuffle: which of several callables plays a seat, and what belongs to a single decision.
OUTSIDERS, DECISION = 1 << 32, 1 << 33


def mix_plainly(x):
    """A bijective hash of 64 bits (SplitMix64's finaliser), of a number or an array."""
    x = (x ^ (x >> BITS_30)) * MIX_1
    x = (x ^ (x >> BITS_27)) * MIX_2
    return x ^ (x >> BITS_31)


mix = wrapping(mix_plainly)


@wrapping
def derive(key, purpose):
    """The key, or the stream's first state, that belongs to `key` for one purpose."""
    return mix(mix(key) + purpose * GAMMA)


@wrapping
def next_episode(key):
    """The key of the episode that follows; a held-out key is followed by held-out keys."""
    return (derive(key, NEXT_EPISODE) & ~HELD_OUT) | (key & HELD_OUT)


@wrapping
def below(bits, n):
    """A number from 0 to n−1 out of 64 random bits, uniform but for a bias under n / 2^32."""
    return np.int64(((bits >> BITS_32) * np.uint64(n)) >> BITS_32)


@wrapping
def next_state(stream):
    """The next state of a stream; `mix` of it is the random number."""
    return stream + GAMMA


def spread(key: Any, n: int) -> Any:
    """`n` different keys out of one: uint64 (n,)."""
    return derive_all(key, np.arange(n))


def derive_all(keys: Any, *purposes: Any) -> Any:
    """`derive` for each key, uint64 (n,), and purpose, int or int (n,), one purpose after the other: uint64 (n,)."""
    with np.errstate(over="ignore"):
        for purpose in purposes:
            keys = mix_plainly(mix_plainly(keys) + np.asarray(purpose).astype(np.uint64) * GAMMA)
    return keys


def chances(keys: Any, purposes: Any) -> Any:
    """A number from 0 to below 1 for each key, uint64 (n,), and purpose, int (n,): float64 (n,)."""
    return (derive_all(keys, purposes) >> BITS_11) * UNIT


def keys_of_seeds(seeds: Iterable[int]) -> Any:
    """The keys of games that are seeded one by one: uint64 (n,)."""
    return np.array([seed_keys(seed, 1)[0] for seed in seeds])


def seed_keys(seed: int, n: int, held_out: bool = False) -> Any:
    """The first keys of `n` games that are seeded together: uint64 (n,), all but surely different."""
    keys = spread(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0], n)
    return (keys | HELD_OUT) if held_out else (keys & ~HELD_OUT)
