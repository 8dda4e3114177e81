import { catalogue } from './translate.ts'

/** Returns a function that writes numbers in the current language. Formats are kept for each language, since making one is slow. */
export function numbersOf(options: Intl.NumberFormatOptions): (x: number) => string {
  let spoken = ''
  let format = new Intl.NumberFormat('en', options)
  return (x) => {
    const { locale } = catalogue()
    if (locale !== spoken) {
      spoken = locale
      format = new Intl.NumberFormat(locale, options)
    }
    return format.format(x)
  }
}
