export function SweepPanel() {
  return null
}
