import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { SinkForm, SourceForm } from './EndForms.tsx'
import { StageButtons, StageForm } from './StageForm.tsx'

/** The form of what is selected on the canvas; nothing if nothing is selected. */
export function Inspector() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.draft)
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  if (selected === null) return null
  const index = scenario.stages.findIndex(({ id }) => id === selected)
  const stage = scenario.stages[index]
  const title = stage?.name ?? (selected === 'source' ? t('Source') : t('Sink'))
  return (
    // Each selection has its own form, so that half-typed text does not move to another.
    <section className="form" aria-label={stage === undefined ? title : t('Stage {title}', { title })} key={selected}>
      <header className="form-head">
        {stage !== undefined && <i className="form-mark" style={{ background: stageColour(palette, index).fill }} />}
        <h2>{title}</h2>
        {stage !== undefined && <StageButtons scenario={scenario} id={selected} />}
        <RemoveButton label={t('Close')} onClick={() => select(session, null)} />
      </header>
      {stage !== undefined && <StageForm draft={scenario} stage={stage} index={index} />}
      {selected === 'source' && <SourceForm source={scenario.source} />}
      {selected === 'sink' && <SinkForm scenario={scenario} />}
    </section>
  )
}
