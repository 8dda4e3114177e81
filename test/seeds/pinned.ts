import type { Plan } from './plans.ts'

/** Games that went wrong once, each with what it found. They are played first, for ever. */
export const pinned: readonly (Plan & { readonly found: string })[] = []
