import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { onPressElsewhere } from '../../base/ui/Menu.tsx'
import { toolsStore } from '../../session/page/timelineStore.ts'
import { useSession } from '../../session/useSession.ts'
import { ToolsPanel } from './ToolsPanel.tsx'

/** The button at the end of the row, and the panel of rarely used tools. */
export function Tools() {
  const session = useSession()
  const tools = toolsStore(session)
  const open = useStore(tools, (state) => state.open)
  const root = useRef<HTMLDivElement>(null)
  const shut = open === null
  const close = () => tools.setState({ open: null })
  useEffect(() => (shut ? undefined : onPressElsewhere(root, () => tools.setState({ open: null }))), [shut, tools])
  const label = t('Tools')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works for all controls inside
    <div
      className="tools"
      data-control="transport"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || shut) return
        event.stopPropagation()
        close()
        root.current?.querySelector('button')?.focus()
      }}
    >
      <Button
        className="icon"
        aria-label={label}
        title={t('Tools')}
        aria-haspopup="dialog"
        aria-expanded={!shut}
        onClick={() => tools.setState({ open: shut ? 'all' : null })}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M2 4.500h6M12 4.500h2M2 11.500h2M8 11.500h6"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.500"
            strokeLinecap="round"
          />
          <circle cx="10" cy="4.500" r="2" fill="none" stroke="currentColor" strokeWidth="1.500" />
          <circle cx="6" cy="11.500" r="2" fill="none" stroke="currentColor" strokeWidth="1.500" />
        </svg>
      </Button>
      {open !== null && <ToolsPanel show={open} close={close} />}
    </div>
  )
}
