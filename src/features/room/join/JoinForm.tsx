import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { JoinControl } from './joining.ts'
import { keepName, MAX_DEVICE_NAME } from './ownDevice.ts'

/** What one may change and need not: the name that the host sees, and how many threads are lent. */
export function JoinForm({ join, most }: { readonly join: JoinControl; readonly most: number }) {
  const { name, threads } = useStore(join.store)
  const [typedName, setTypedName] = useState(name)
  const [typedThreads, setTypedThreads] = useState(String(threads))
  function takeName() {
    const next = typedName.trim().slice(0, MAX_DEVICE_NAME)
    setTypedName(next)
    if (next === name) return
    keepName(next)
    join.change({ name: next })
  }
  function takeThreads() {
    const wish = Math.round(Number(typedThreads))
    const next = typedThreads.trim() !== '' && wish >= 1 && wish <= most ? wish : threads
    setTypedThreads(String(next))
    if (next !== threads) join.change({ threads: next })
  }
  return (
    <details className="join-form">
      <summary>
        {name === '' ? t('This device') : name}: {t('{threads, plural, one {# thread} other {# threads}} of {most}', { threads, most })}
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          takeName()
          takeThreads()
        }}
      >
        <label>
          <span>{t('Your name, if the host may see it')}</span>
          <input
            value={typedName}
            maxLength={MAX_DEVICE_NAME}
            autoComplete="nickname"
            onChange={(event) => setTypedName(event.target.value)}
            onBlur={takeName}
          />
        </label>
        <label>
          <span>{t('Threads, 1 to {most}', { most })}</span>
          <input
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            value={typedThreads}
            onChange={(event) => setTypedThreads(event.target.value)}
            onBlur={takeThreads}
          />
        </label>
        {/* Enter takes what was typed. */}
        <button type="submit" className="unseen" tabIndex={-1}>
          {t('Apply')}
        </button>
      </form>
    </details>
  )
}
