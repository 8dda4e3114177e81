import { useSyncExternalStore } from 'react'

const query = matchMedia('(pointer: coarse)')

function subscribe(changed: () => void): () => void {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Returns whether the person points with fingers. */
export function useCoarsePointer(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
