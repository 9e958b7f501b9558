"""A dictionary of lists of names, and a breadth-first search in it.

graph.py NAMES
"""
import sys
import time

n = int(sys.argv[1])
state = 1


def draw(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % n


t0 = time.process_time()
names = [f"user{i}" for i in range(n)]
order = names[:]
for i in range(n - 1, 0, -1):
    j = draw(i + 1)
    order[i], order[j] = order[j], order[i]
friends = {name: [] for name in order}
for name in order:
    for _ in range(3):
        friends[name].append(names[draw(n)])
t1 = time.process_time()
seen, queue = {names[0]}, [names[0]]
for name in queue:
    for friend in friends[name]:
        if friend not in seen:
            seen.add(friend)
            queue.append(friend)
t2 = time.process_time()
print(len(seen))
print(f"build {t1-t0:.3f} search {t2-t1:.3f}", file=sys.stderr)
