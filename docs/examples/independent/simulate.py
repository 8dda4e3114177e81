"""Plays scenarios of Apportion and prints a line for each job and stage: job, stage, when it began there, how long it had waited.

    python3 simulate.py FILE      FILE: a scenario, a list of scenarios, or a downloaded trace

Follows the documentation, and shares no line with the app. Each rule names its page. Times are whole microseconds, fractions are exact.
"""
import json
import sys
from fractions import Fraction

PINNED = ("fixed", "onePerStage")  # policies.md: these do not lend
POLICIES = (*PINNED, "leastScore", "longestQueue", "sinkFirst")


def from_trace(trace):
    """files.md, The rows: returns the scenario of a trace, with its arrivals and service times as lists."""
    scenario, events = trace["scenario"], trace["events"]
    rows = [(trace["kinds"][kind], *rest) for kind, *rest in zip(*(events[k] for k in ("kind", "time", "stage", "job", "began", "ended")))]
    scenario["source"] = {"kind": "times", "at": [time for kind, time, *_ in rows if kind == "arrived"]}
    for number, stage in enumerate(scenario["stages"]):
        times = {job: ended - began for kind, _, at, job, began, ended in rows if kind == "finished" and at == number}
        stage["changes"] = [{"from": job, "service": {"kind": "constant", "mean": times[job]}} for job in sorted(times)]
    return scenario


def arrivals(source):
    """scenario-format.md, Sources."""
    if source["kind"] == "batch":
        return [0] * source["jobs"]
    if source["kind"] == "regular":
        return [round(job * 1_000_000 / Fraction(source["rate"])) for job in range(source["jobs"])]
    assert source["kind"] == "times", "arrivals at random: play the trace of a run"
    return list(source["at"])


def service_time(stage, job):
    """scenario-format.md, Stages: `service`, or the change from the highest job number that is not above this one."""
    laws = [stage.get("service", {"kind": "constant"})] + [change["service"] for change in stage.get("changes", []) if change["from"] <= job]
    assert laws[-1]["kind"] == "constant", "services at random: play the trace of a run"
    return laws[-1].get("mean", 1000)


def refuse(scenario):
    """Stops at what is not played here."""
    keys = [key for key in ("workerEvents", "switchCost", "groupSwitchCost", "network", "later", "branches") if scenario.get(key)]
    keys += [key for stage in scenario["stages"] for key in ("fails", "resource") if stage.get(key)]
    keys += ["discipline" for stage in scenario["stages"] if stage.get("discipline", "fifo") != "fifo"]
    keys += ["fanOut" for stage in scenario["stages"] if stage.get("fanOut", "copy") != "copy"]
    keys += ["estimator"] if scenario.get("estimator", {}).get("kind", "mean") != "mean" else []
    keys += ["prior"] if scenario.get("estimator", {}).get("prior", "neighbours") != "neighbours" else []
    keys += ["batch"] if scenario.get("batch", {"size": 1}).get("size") != 1 else []
    keys += ["order"] if scenario.get("order", {}).get("kind") == "shard" else []
    keys += ["policy"] if scenario.get("policy", {"kind": "leastScore"})["kind"] not in POLICIES else []
    assert not keys, f"not played here: {', '.join(keys)}"


class Run:
    def __init__(self, scenario):
        refuse(scenario)
        self.stages = {stage["id"]: stage for stage in scenario["stages"]}
        way = ["source", *self.stages, "sink"]
        links = scenario.get("links") or list(zip(way, way[1:]))
        self.after = {stage: [b for a, b in links if a == stage] for stage in way}
        self.before = {stage: [a for a, b in links if b == stage] for stage in way}
        self.workers = scenario["workers"]
        self.policy = scenario.get("policy", {"kind": "leastScore"})
        self.slots = scenario.get("order", {}).get("slots")
        self.to_come = arrivals(scenario.get("source", {"kind": "batch", "jobs": 100}))
        self.queue = {stage: [] for stage in self.stages}  # pairs: when the job came, job
        self.busy = []  # triples: when the service ends, stage, job
        self.served = {stage: [] for stage in self.stages}  # service times that the scheduler has seen
        self.parts = {}  # by job and place: how many parts have come there
        self.done, self.left_at = set(), {}  # jobs that passed all stages; by job, when it left
        self.began = {}

    def serving(self, stage):
        return sum(at == stage for _, at, _ in self.busy)

    def no_job_will_come(self, stage):
        if stage == "source":
            return not self.to_come
        return not self.queue[stage] and not self.serving(stage) and all(map(self.no_job_will_come, self.before[stage]))

    def to_sink(self, stage):
        return 0 if stage == "sink" else 1 + max(map(self.to_sink, self.after[stage]))

    def claims(self, stage):
        """policies.md, The default policy: the quotients of a stage, by how many workers it has."""
        waiting, means = len(self.queue[stage]), {s: Fraction(sum(seen), len(seen)) for s, seen in self.served.items() if seen}
        if self.policy["kind"] == "longestQueue":
            return [Fraction(waiting, w + 1) for w in range(self.workers + 1)]
        unknown = sum(means.values()) / len(means) if means else 1  # Estimators: the prior `neighbours`
        return [Fraction(waiting * means.get(stage, unknown)) / ((w + 1) * (w + 2)) for w in range(self.workers + 1)]

    def targets(self, claims):
        """policies.md, All policies."""
        seats, left = dict.fromkeys(self.stages, 0), self.workers
        if self.policy["kind"] == "fixed":
            return {**seats, **self.policy["allocation"]}
        if self.policy["kind"] == "onePerStage":
            return dict.fromkeys(self.stages, 1)
        if self.policy["kind"] == "sinkFirst":
            for stage in sorted(reversed(self.stages), key=self.to_sink):
                seats[stage] = min(left, self.serving(stage) + len(self.startable(stage)))
                left -= seats[stage]
            return seats
        takers = [stage for stage in sorted(self.stages) if not self.no_job_will_come(stage)]
        for _ in range(self.workers):
            seats[max(takers, key=lambda stage: claims[stage][seats[stage]])] += 1
        return seats

    def startable(self, stage):
        """The jobs that may start here now. scenario-format.md: `capacity`; order-and-groups.md: `buffer`."""
        jobs, last = self.queue[stage], self.after[stage] == ["sink"]
        bounded = [after for after in self.after[stage] if after != "sink" and self.stages[after].get("capacity")]
        if self.slots and (last or any(self.after[after] == ["sink"] for after in bounded)):
            jobs = [(came, job) for came, job in jobs if job < len(self.left_at) + self.slots]
        if self.slots and last:
            jobs.sort(key=lambda one: (max(one[0], self.left_at.get(one[1] - self.slots, 0)), one[1]))
        for after in bounded:
            coming = sum(self.serving(before) for before in self.before[after] if before != "source")
            jobs = jobs[: max(0, self.stages[after]["capacity"] - len(self.queue[after]) - coming)]
        return list(jobs)

    def decide(self, now):
        """policies.md, The default policy: targets, and where the free workers go."""
        lends, seats, started = self.policy["kind"] not in PINNED and self.policy.get("lend", True), None, True
        while started and len(self.busy) < self.workers:
            jobs, started = {stage: self.startable(stage) for stage in sorted(self.stages)}, False
            claims = {stage: self.claims(stage) for stage in jobs}
            if seats is None and any(jobs.values()):
                seats = self.targets(claims)
            while len(self.busy) < self.workers:
                able = [stage for stage in jobs if jobs[stage] and (lends or self.serving(stage) < seats[stage])]
                if not able:
                    break
                stage = max(able, key=lambda stage: (seats[stage] - self.serving(stage), claims[stage][self.serving(stage)]))
                came, job = jobs[stage].pop(0)
                if self.startable(stage):
                    self.queue[stage].remove((came, job))
                    self.busy.append((now + service_time(self.stages[stage], job), stage, job))
                    self.began[job, stage], started = (now, now - came), True

    def move(self, now, job, stage):
        """scenario-format.md, Graphs: a copy goes to each follower; at a join and at the sink the parts of a job meet."""
        for after in self.after[stage]:
            self.parts[job, after] = self.parts.get((job, after), 0) + 1
            if after != "sink" and self.stages[after].get("join") != "all":
                self.queue[after].append((now, job))
            elif self.parts[job, after] == len(self.before[after]) and after != "sink":
                self.queue[after].append((now, job))
            elif self.parts[job, after] == len(self.before[after]):
                self.done.add(job)
                while len(self.left_at) in self.done:
                    self.left_at[len(self.left_at)] = now

    def play(self):
        """files.md, The rows: at one instant first what ends, then what arrives, then what starts."""
        jobs = len(self.to_come)
        while self.to_come or self.busy:
            now = min(self.to_come[:1] + [end for end, _, _ in self.busy])
            for end, stage, job in [each for each in self.busy if each[0] == now]:
                self.busy.remove((end, stage, job))
                self.served[stage].append(service_time(self.stages[stage], job))
                self.move(now, job, stage)
            while self.to_come[:1] == [now]:
                self.move(now, jobs - len(self.to_come), "source")
                self.to_come.pop(0)
            self.decide(now)
        if len(self.done) < jobs:
            print("stuck")
        return self.began


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    for scenario in given if isinstance(given, list) else [from_trace(given) if "events" in given else given]:
        print("#", scenario.get("title", ""))
        run = Run(scenario)
        place = list(run.stages).index
        for (job, stage), times in sorted(run.play().items(), key=lambda row: (row[0][0], place(row[0][1]))):
            print(job, stage, *times)
