import { generate } from 'lean-qr'
import { useMemo } from 'react'
import { t } from '../../../language/translate.ts'
import './copyField.css'

/** The quiet zone on each side of a code, in dots (ISO/IEC 18004). */
const MARGIN = 4

/** A link as a QR code, black on white in every theme. */
export function QrCode({ link }: { readonly link: string }) {
  const code = useMemo(() => qrPath(link), [link])
  if (code === null) return <p className="warning">{t('Too long for a QR code. Send the file.')}</p>
  const side = code.size + 2 * MARGIN
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={t('QR code of the link')}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  )
}

/** Returns the dark dots of the code as a path; null if the link is too long. */
function qrPath(link: string): { readonly size: number; readonly path: string } | null {
  try {
    const code = generate(link)
    let path = ''
    for (let y = 0; y < code.size; y++)
      for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`
    return { size: code.size, path }
  } catch {
    return null
  }
}
