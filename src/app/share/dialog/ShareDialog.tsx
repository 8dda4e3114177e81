import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { toJsonFragment, toShortFragment } from '../../../scenario/link/codec.ts'
import type { Opening } from '../../../scenario/link/opening.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import { escaped } from '../../../views/drawing/svg.ts'
import { Button } from '../../base/controls/Button.tsx'
import { CopyField } from '../../base/ui/CopyField.tsx'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { QrCode } from '../../base/ui/QrCode.tsx'
import { linkTo } from '../../session/address.ts'
import { endSentence } from '../../session/run/runSentences.ts'
import { runStore } from '../../session/run/runStore.ts'
import { saveScenario } from '../../session/scenario/savedCanvas.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import './share.css'
import { viewNow } from '../links/viewNow.ts'

/** The characters that every chat program accepts in a message. */
const CHAT = 2000

/** Ways to share the scenario: a link, short or readable, text for another page, a file, or a QR code. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  const { scenario, whole, shown } = useStore(scenarioStore(session))
  const { run, phase, engine } = useStore(runStore(session))
  // The page as it was when Share was pressed: playback behind the dialog does not change the links.
  const [parts] = useState(() => viewNow(session))
  const [chosen, setChosen] = useState(() => new Set(parts.filter(({ meant }) => meant).map(({ key }) => key)))
  const [withCode, setWithCode] = useState(false)
  const simulated =
    shown === null &&
    phase === 'ended' &&
    run?.scenario === scenario &&
    !isRealTime(run.trace.engine) &&
    run.trace.ending !== 'stopped'
      ? run
      : null
  const toggle = (key: string) =>
    setChosen((now) => new Set(now.has(key) ? [...now].filter((other) => other !== key) : [...now, key]))
  const starts = chosen.has('run') ? engine : null
  const opening: Partial<Opening> = Object.assign(
    { branch: shown, run: starts },
    ...parts.filter(({ key }) => chosen.has(key)).map((part) => part.opening),
  )
  const page = linkTo(session.address, '')
  const asking = chosen.has('guess') ? `${page}?guess` : page
  const short = toShortFragment(whole, opening)
  const link = asking + short
  const longLink = asking + toJsonFragment(whole, opening)
  const title = whole.title || 'Apportion'
  const playing = toShortFragment(whole, {
    ...opening,
    run: starts ?? (run === null || isRealTime(engine) ? null : 'simulation'),
  })
  const choices = [
    ...parts,
    ...(engine === 'room' ? [] : [{ key: 'run', words: t('With the run, which starts at once') }]),
    { key: 'guess', words: t('With a question: how long will it take?') },
  ]
  return (
    <Dialog title={t('Share this scenario')} kind="share" onClose={onClose}>
      <p>
        {t('Anyone with this link gets the same pipeline and random seed.')}
        {whole.branches.length > 0 &&
          ` ${t('With {branches, plural, one {# branch} other {# branches}}', { branches: whole.branches.length })}`}
        {scenario.source.kind === 'lines' && ` ${t('The file stays with you: others drop their own.')}`}
      </p>
      <CopyField label={t('Link')} text={link} note={characters(link)} />
      <Length of={link} tooLong={short.length > MAX_SHORT} />
      <fieldset>
        <legend>{t('It opens')}</legend>
        {choices.map(({ key, words }) => (
          <label key={key} className="check">
            <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <div className="share-actions">
        <Button onClick={() => saveScenario(whole)} text={t('Save as a file')} />
        <Button aria-expanded={withCode} onClick={() => setWithCode(!withCode)} text={t('QR code')} />
      </div>
      {withCode && <QrCode link={link} />}
      <details>
        <summary>{t('For a text or another page')}</summary>
        <CopyField
          label={t('Markdown')}
          text={markdownOf(title, link, simulated === null ? null : endSentence(simulated.trace))}
          lines={2}
        />
        <CopyField label={t('Embed, with its element')} text={elementOf(page, playing, title)} lines={3} />
        <CopyField label={t('Embed, as a frame')} text={frameText(page, playing, title)} lines={3} />
        <CopyField label={t('Link that can be read and written by hand')} text={longLink} note={characters(longLink)} />
      </details>
    </Dialog>
  )
}

const characters = (text: string) => t('{n, plural, one {# character} other {# characters}}', { n: text.length })

/** How much of the length of a chat message the link takes. */
function Length({ of, tooLong }: { readonly of: string; readonly tooLong: boolean }) {
  const words = tooLong
    ? t('Too long for a link. Save it as a file.')
    : of.length > CHAT
      ? t('Many chats cut off after {most, number} characters.', { most: CHAT })
      : ''
  return (
    <div className="link-length">
      <meter min={0} max={CHAT} value={Math.min(of.length, CHAT)} aria-label={t('Link')} />
      <span className={of.length > CHAT || tooLong ? 'warning' : 'soft'}>{words}</span>
    </div>
  )
}

/** Returns a frame for another page, without the script of the element. */
export function frameText(page: string, fragment: string, title: string): string {
  return `<iframe src="${escaped(`${page}?embed${fragment}`)}" title="${escaped(title)}" width="100%" height="400" loading="lazy"></iframe>`
}

/** Returns the element for another page, with the script that defines it. Where that script is blocked, the link in the element is seen. */
export function elementOf(page: string, fragment: string, title: string): string {
  const link = escaped(page + fragment)
  return `<script type="module" src="${escaped(new URL('embed.js', page).href)}"></script>\n<apportion-embed scenario="${link}" height="400"><a href="${link}">${escaped(title)}</a></apportion-embed>`
}

/** Returns `[title](link)`, followed by the result of the run. */
export function markdownOf(title: string, link: string, figures: string | null): string {
  return figures === null
    ? `[${inMarkdown(title)}](${link})`
    : `[${inMarkdown(title)}](${link}): ${inMarkdown(figures)}`
}

/** Returns text with everything escaped that means something in Markdown: links, emphasis, code, HTML, tables, formulas, pictures. */
const inMarkdown = (words: string): string => words.replace(/[\\[\]*_`<>&|~$!#]/g, '\\$&')
