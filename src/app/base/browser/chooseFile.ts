/** Asks the person for a file, and hands it over once one is chosen. */
export function chooseFile(take: (file: File) => unknown): void {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.addEventListener('change', () => {
    const [file] = chooser.files ?? []
    if (file !== undefined) take(file)
  })
  chooser.click()
}
