import { Suspense } from 'react'
import { useStore } from 'zustand'
import { lazyPart } from '../../../app/base/page/lazyPart.tsx'
import type { Answering } from './answering.ts'
import { QuestionCard } from './QuestionCard.tsx'
import './round.css'

// Most rooms play no game. It brings the simulation with it.
const GameCard = lazyPart(async () => (await import('./GameCard.tsx')).GameCard)

/** What the host asks now, on top of the colour of the stage. */
export function RoundCard({ answering }: { readonly answering: Answering }) {
  const { round, mine } = useStore(answering.store)
  if (round === null) return null
  return (
    <section className="join-round">
      {round.kind === 'question' ? (
        <QuestionCard key={round.round} round={round} mine={mine} say={answering.guess} />
      ) : (
        <Suspense>
          <GameCard key={round.round} round={round} send={answering.play} />
        </Suspense>
      )}
    </section>
  )
}
