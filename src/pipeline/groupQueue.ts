import type { Discipline } from '../scenario/model/scenario.ts'
import { addEntry, extractEntry, type HeapEntry, isBefore, type JobQueue } from './discipline.ts'
import { NONE } from './rows.ts'

/** Offers the first job of each free group, in O(log jobs): a heap of heaps in the discipline's order. Entries no longer first are dropped at the head. */
export interface GroupQueue extends JobQueue {
  /** How many jobs may be taken now. */
  readonly length: number
  /** A job of this group is being served from now on: no other may start. */
  hold(job: number): void
  /** The job is no longer served. */
  free(job: number): void
  /** Visits all waiting jobs, also those aside, in order of service. */
  forEach(visit: (job: number) => void): void
  /** Returns the jobs that may be taken now, in order of service. */
  startable(): number[]
}

export function createGroupQueue(
  discipline: Discipline,
  sizeOf: (job: number) => number,
  groupOf: (job: number) => number,
): GroupQueue {
  return new Groups(discipline, sizeOf, groupOf)
}

interface Member extends HeapEntry {
  readonly group: Group
  /** Whether it is an entry of the heap of first jobs. */
  listed: boolean
}

type Group = { readonly jobs: Member[]; held: boolean }

class Groups implements GroupQueue {
  length = 0
  private readonly groups = new Map<number, Group>()
  private readonly firsts: Member[] = []
  private arrivals = 0
  private returns = 0
  private readonly discipline: Discipline
  private readonly sizeOf: (job: number) => number
  private readonly groupOf: (job: number) => number

  constructor(discipline: Discipline, sizeOf: (job: number) => number, groupOf: (job: number) => number) {
    this.discipline = discipline
    this.sizeOf = sizeOf
    this.groupOf = groupOf
  }

  push(job: number): void {
    const arrival = this.arrivals++
    this.add(
      job,
      this.discipline === 'shortest' || this.discipline === 'priority' ? this.sizeOf(job) : 0,
      this.discipline === 'lifo' ? -arrival : arrival,
    )
  }

  peek(): number {
    this.tidy()
    return this.firsts.length === 0 ? NONE : this.firsts[0].job
  }

  take(): number {
    const job = this.peek()
    if (job !== NONE) this.extract(this.firsts[0].group, 0)
    return job
  }

  putBack(jobs: readonly number[]): void {
    for (let i = jobs.length - 1; i >= 0; i--) this.add(jobs[i], -Infinity, --this.returns)
  }

  remove(job: number): boolean {
    const group = this.groups.get(this.groupOf(job))
    const place = group?.jobs.findIndex((member) => member.job === job) ?? -1
    if (group === undefined || place < 0) return false
    this.extract(group, place)
    return true
  }

  startable(): number[] {
    const members = this.firsts.filter(isStartable).sort(inOrder)
    return members.map(({ job }) => job)
  }

  forEach(visit: (job: number) => void): void {
    for (const { job } of [...this.groups.values()].flatMap(({ jobs }) => jobs).sort(inOrder)) visit(job)
  }

  hold(job: number): void {
    const group = this.groupFor(job)
    if (!group.held && group.jobs.length > 0) this.length--
    group.held = true
  }

  free(job: number): void {
    const group = this.groups.get(this.groupOf(job))
    if (group === undefined || !group.held) return
    group.held = false
    if (group.jobs.length === 0) {
      this.groups.delete(this.groupOf(job))
      return
    }
    this.length++
    this.list(group)
  }

  private groupFor(job: number): Group {
    const key = this.groupOf(job)
    const known = this.groups.get(key)
    if (known !== undefined) return known
    const group: Group = { jobs: [], held: false }
    this.groups.set(key, group)
    return group
  }

  private add(job: number, size: number, rank: number): void {
    const group = this.groupFor(job)
    if (group.jobs.length === 0 && !group.held) this.length++
    addEntry(group.jobs, { job, size, rank, group, listed: false })
    this.list(group)
  }

  private extract(group: Group, place: number): void {
    const { job } = extractEntry(group.jobs, place)
    if (group.held) return
    if (group.jobs.length > 0) this.list(group)
    else {
      this.length--
      this.groups.delete(this.groupOf(job))
    }
  }

  /** Enters the first job of a free group into the heap of first jobs, once. */
  private list({ jobs, held }: Group): void {
    if (held || jobs[0].listed) return
    jobs[0].listed = true
    addEntry(this.firsts, jobs[0])
  }

  /** Drops entries from the head that were started or removed, are no longer first, or belong to a group that is being served. */
  private tidy(): void {
    const { firsts } = this
    while (firsts.length > 0 && !isStartable(firsts[0])) extractEntry(firsts, 0).listed = false
  }
}

const isStartable = (member: Member): boolean => !member.group.held && member.group.jobs[0] === member
const inOrder = (a: HeapEntry, b: HeapEntry): number => (isBefore(a, b) ? -1 : 1)
