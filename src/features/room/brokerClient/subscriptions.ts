/** Who hears the messages of one connection. */
export interface Subscriptions {
  add(filter: string, heard: (topic: string, bytes: Uint8Array) => void): void
  /** Calls all whose filter fits the topic. */
  hear(topic: string, bytes: Uint8Array): void
}

export function createSubscriptions(): Subscriptions {
  const all: { readonly levels: readonly string[]; readonly heard: (topic: string, bytes: Uint8Array) => void }[] = []
  return {
    add: (filter, heard) => all.push({ levels: filter.split('/'), heard }),
    hear(topic, bytes) {
      const levels = topic.split('/')
      for (const one of all) if (fits(one.levels, levels)) one.heard(topic, bytes)
    },
  }
}

/** Says whether a topic fits a filter, in which "+" stands for any one level. */
function fits(filter: readonly string[], topic: readonly string[]): boolean {
  return filter.length === topic.length && filter.every((level, k) => level === '+' || level === topic[k])
}
