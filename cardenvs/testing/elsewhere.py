"""Play a kit's game in this process, and print its digest: the other half of a check."""

import pickle
import sys

from cardenvs.testing.play import retrace

if __name__ == "__main__":
    print(retrace(pickle.load(sys.stdin.buffer)))
