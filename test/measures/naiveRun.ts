import { applySeats } from '../../src/pipeline/journal.ts'
import { type Trace, traceRow } from '../../src/trace/trace.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { createServices, routingOf } from '../../src/workload/service.ts'
import { Books } from '../seeds/books.ts'
import { NaiveFigures } from '../seeds/naiveFigures.ts'

/** Returns the results of a run, computed a second time from its rows and decisions, without the code of the measures. */
export function naiveFiguresOf(trace: Trace): NaiveFigures {
  const { scenario, decisions } = trace
  const services = createServices(scenario)
  const books = new Books(scenario, (stage, job) => services.at(stage, job), groupingOf(scenario), routingOf(scenario))
  const seats = scenario.stages.map(() => 0)
  const figures = new NaiveFigures(books, seats)
  let d = 0
  const decide = (row: number) => {
    for (; d < decisions.length && decisions.row[d] <= row; d++) {
      applySeats(decisions, d, seats)
      books.shards?.deal(seats)
      figures.decided()
    }
  }
  for (let i = 0; i < trace.length; i++) {
    decide(i)
    const row = traceRow(trace, i)
    figures.before(row)
    books.enter(row)
    figures.after(row)
  }
  decide(trace.length)
  return figures
}
