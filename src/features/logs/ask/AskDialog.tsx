import './ask.css'
import type { ClipboardEvent } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { methodOptions, Select } from '../../../app/base/controls/Select.tsx'
import { writeDuration } from '../../../app/base/forms/typedText.ts'
import { themeStore } from '../../../app/base/page/theme.ts'
import { ColouredText } from '../../../app/base/ui/ColouredText.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { DecisionBody } from '../../../app/explain/decision/DecisionPanel.tsx'
import { linkTo } from '../../../app/session/address.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { newStageName } from '../../../scenario/edit/edits.ts'
import { toAskFragment } from '../../../scenario/link/codec.ts'
import { MAX_STAGES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { isMethod, menuKinds, menuName } from '../../../scenario/model/methods.ts'
import { askable, policies } from '../../../scenario/model/policies.ts'
import type { DecisionQuestion } from '../../../scenario/parse/part.ts'
import { answerSentence, answerTo, type Rule } from '../measure/openLoop.ts'
import { askStore, changeDraft, closeQuestion } from './askStore.ts'
import { type AskDraft, type AskRow, cellProblem, readAskDraft, readTable } from './askTable.ts'

/** A decision without a run: a table of stages is typed or pasted, and the decision panel explains the answer. */
export function AskDialog() {
  const session = useSession()
  const draft = useStore(askStore(session), (state) => state.draft)
  useStore(themeStore)
  if (draft === null) return null
  const read = readAskDraft(draft)
  return (
    <Dialog title={t('Ask the allocator')} kind="ask" onClose={() => closeQuestion(session)}>
      <p className="soft">{t('You can paste a table from a spreadsheet.')}</p>
      <div className="field-row">
        <label className="field">
          <span>{t('Workers to share')}</span>
          <input
            type="number"
            min={1}
            max={MAX_WORKERS}
            value={draft.workers}
            aria-invalid={cellProblem(read, 'workers') !== undefined}
            onChange={(event) => changeDraft(session, { workers: event.target.value })}
          />
        </label>
        <RuleFields policy={draft.policy} power={draft.power} change={(change) => changeDraft(session, change)} />
      </div>
      <AskTable draft={draft} read={read} />
      {'problems' in read ? (
        <ul className="problem-list" role="alert">
          {read.problems.slice(0, 6).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <strong>{placeOf(path)}</strong> {message}
            </li>
          ))}
        </ul>
      ) : (
        <Answer question={read.question} />
      )}
    </Dialog>
  )
}

function AskTable({ draft, read }: { readonly draft: AskDraft; readonly read: ReturnType<typeof readAskDraft> }) {
  const session = useSession()
  const { rows } = draft
  const set = (changed: readonly AskRow[]) => changeDraft(session, { rows: changed })
  const change = (s: number, to: Partial<AskRow>) => set(rows.map((row, k) => (k === s ? { ...row, ...to } : row)))
  /** Inserts a pasted table from this row on; the text of a single cell is pasted at the cursor. */
  function paste(event: ClipboardEvent, s: number) {
    const table = readTable(event.clipboardData.getData('text/plain'))
    if (table === null) return
    event.preventDefault()
    set([...rows.slice(0, s), ...table].slice(0, MAX_STAGES))
  }
  const cell = (s: number, key: 'name' | 'waiting' | 'mean', label: string) => {
    const problem = cellProblem(read, `stages[${s}].${key}`)
    return (
      <td>
        <input
          aria-label={t('{label}, row {s}', { label, s: s + 1 })}
          value={rows[s][key]}
          aria-invalid={problem !== undefined}
          title={problem}
          inputMode={key === 'waiting' ? 'numeric' : undefined}
          onChange={(event) => change(s, { [key]: event.target.value })}
          onPaste={(event) => paste(event, s)}
        />
      </td>
    )
  }
  return (
    <>
      <Table
        className="ask-table"
        heads={[t('Stage'), t('Waiting'), t('A job takes'), t('Done'), { unseen: t('Remove') }]}
      >
        {rows.map((row, s) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key: while names are typed, two may be equal
          <tr key={s}>
            {cell(s, 'name', t('Stage'))}
            {cell(s, 'waiting', t('Waiting'))}
            {cell(s, 'mean', t('A job takes'))}
            <td>
              <input
                type="checkbox"
                aria-label={t('{label}, row {s}', { label: t('Done'), s: s + 1 })}
                checked={row.done}
                onChange={(event) => change(s, { done: event.target.checked })}
              />
            </td>
            <td>
              <Button
                className="icon"
                aria-label={t('{label}, row {s}', { label: t('Remove'), s: s + 1 })}
                disabled={rows.length === 1}
                onClick={() => set(rows.filter((_, k) => k !== s))}
                text="×"
              />
            </td>
          </tr>
        ))}
      </Table>
      <Button
        className="button ask-add"
        disabled={rows.length >= MAX_STAGES}
        onClick={() =>
          set([
            ...rows,
            { name: newStageName(String(rows.length + 1)), waiting: '0', mean: writeDuration(1000), done: false },
          ])
        }
        text={t('Add a stage')}
      />
    </>
  )
}

function Answer({ question }: { readonly question: DecisionQuestion }) {
  const session = useSession()
  const decision = answerTo(question)
  return (
    <>
      <article className="panel-part decision answer" aria-label={t('Answer')}>
        <p className="sentence">
          <ColouredText parts={answerSentence(question, decision)} />
        </p>
        <DecisionBody scenario={question.scenario} decision={decision} />
      </article>
      <CopyField label={t('Link')} text={linkTo(session.address, toAskFragment(question))} />
    </>
  )
}

/** Returns a path such as `stages[2].waiting` as people read it: "Waiting, row 3:". */
function placeOf(path: string): string {
  const [, row, key] = /^stages\[(\d+)\]\.?(\w*)/.exec(path) ?? []
  if (row === undefined) return path === '' ? '' : `${path}:`
  const what = { name: t('Stage'), waiting: t('Waiting'), mean: t('A job takes') }[key] ?? t('Stage')
  return `${t('{label}, row {s}', { label: what, s: Number(row) + 1 })}:`
}

/** A choice among the policies that need only votes. */
export function RuleFields({ policy, power, change }: Rule & { change(to: Partial<Rule>): void }) {
  return (
    <>
      <label className="field">
        <span>{t('Policy')}</span>
        <Select
          value={policy}
          options={menuKinds(askable, policy).map((kind) => [kind, menuName(kind, policies[kind].name())])}
          choose={(kind) => change({ policy: kind })}
        />
      </label>
      {isMethod(policy) && (
        <label className="field">
          <span>{t('Method')}</span>
          <Select value={policy} options={methodOptions()} choose={(kind) => change({ policy: kind })} />
        </label>
      )}
      {policy === 'power' && (
        <label className="field">
          <span>{t('Power')}</span>
          <input
            type="number"
            min={1}
            max={policies.power.params.p.max}
            value={power}
            onChange={(event) => change({ power: event.target.valueAsNumber })}
          />
        </label>
      )}
    </>
  )
}
