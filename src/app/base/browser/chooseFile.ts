/** Opens the file dialog and calls `take` with the chosen file. */
export function chooseFile(take: (file: File) => unknown): void {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.addEventListener('change', () => {
    const [file] = chooser.files ?? []
    if (file !== undefined) take(file)
  })
  chooser.click()
}
