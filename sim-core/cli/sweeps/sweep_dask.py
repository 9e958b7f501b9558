"""Runs a sweep in parts, each in a process of a Dask cluster, and joins the results.

    pip install -r requirements.txt
    python sweep_dask.py stlb.json --out stlb.jsonl

Without --scheduler, the cluster is this machine, with one process for each core. With it, every worker needs the
program, the sweep, its traces and the folder of --out under the same names. After an interruption, the same command
continues the sweep.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed


def run(*words: str) -> str:
    """Runs the program, and returns its error message, or an empty text."""
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stderr.strip() if done.returncode != 0 else ""


def run_part(pagewalk: str, sweep: str, part: int, parts: int, out: str) -> tuple[str, int, str]:
    """Runs one part on one thread, because each worker is a process of its own."""
    shard = f"{part}/{parts}"
    error = run(pagewalk, "sweep", sweep, "--shard", shard, "--jobs", "1", "--out", out)
    return out, os.getpid(), error


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs a sweep on a Dask cluster.")
    parser.add_argument("sweep", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the file for the results, .jsonl")
    parser.add_argument("--parts", type=int, default=4 * (os.cpu_count() or 1))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--scheduler", help="the address of a cluster, such as tcp://host:8786")
    parser.add_argument("--pagewalk", default="pagewalk", help="the program")
    args = parser.parse_args()

    sweep, out = str(args.sweep.resolve()), args.out.resolve()
    names = [
        str(out.with_name(f"{out.stem}.{part}-of-{args.parts}.jsonl"))
        for part in range(1, args.parts + 1)
    ]
    cluster = args.scheduler or LocalCluster(
        n_workers=args.workers, threads_per_worker=1, processes=True, dashboard_address=None
    )
    processes = set()
    with Client(cluster) as client:
        parts = [
            client.submit(run_part, args.pagewalk, sweep, part, args.parts, name, pure=False)
            for part, name in enumerate(names, start=1)
        ]
        for done, future in enumerate(as_completed(parts), start=1):
            name, process, error = future.result()
            if error:
                sys.exit(error)
            processes.add(process)
            print(f"{done} of {args.parts} parts: {Path(name).name}", file=sys.stderr)
    if error := run(args.pagewalk, "sweep", "--merge", *names, "--out", str(out)):
        sys.exit(error)
    print(f"{out}: {args.parts} parts by {len(processes)} processes")


if __name__ == "__main__":
    main()
