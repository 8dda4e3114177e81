/** The benchmark's line as a SimPy script, with its own random numbers; it prints the seconds of processor time it took. */
export function simpyModel(jobs: number): { readonly code: string; readonly jobs: number } {
  const code = `
import random, time, simpy
draws = random.Random(7)
env = simpy.Environment()
stations = [(simpy.Resource(env, 2), 1000.0), (simpy.Resource(env, 5), 4000.0), (simpy.Resource(env, 3), 2000.0)]
left = 0
def job():
    global left
    for station, mean in stations:
        with station.request() as turn:
            yield turn
            yield env.timeout(draws.expovariate(1 / mean))
    left += 1
def source():
    for _ in range(${jobs}):
        yield env.timeout(draws.expovariate(900 / 1e6))
        env.process(job())
began = time.process_time()
env.process(source())
env.run()
assert left == ${jobs}
print(time.process_time() - began)
`
  return { code, jobs }
}
