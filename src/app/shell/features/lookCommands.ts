import { t } from '../../../language/translate.ts'
import { chooseLanguage, languageName, languageStore, languages } from '../../base/page/language.ts'
import { choosePatterns, chooseTheme, type ThemeChoice, themeStore } from '../../base/page/theme.ts'
import type { Command } from '../../base/ui/command.ts'

/** Commands for theme, patterns and language. */
export const themeCommands = (): readonly Command[] => {
  const { choice, palette } = themeStore.getState()
  const patterns = palette?.patterns ?? false
  return [
    ...(['auto', 'light', 'dark'] as const).map((theme) => ({
      name: `theme ${theme}`,
      menu: { section: 'themes' as const, label: themes()[theme], checked: theme === choice },
      act: () => chooseTheme(theme),
    })),
    {
      name: 'patterns',
      menu: { section: 'themes', label: t('Patterns besides colours'), about: t('Each stage wears bars of its own.'), checked: patterns, toggles: true },
      act: () => choosePatterns(!patterns),
    },
    ...languages.map((language) => ({
      name: `language ${language}`,
      menu: { section: 'languages' as const, label: languageName(language), language, checked: languageStore.getState().language === language },
      act: () => chooseLanguage(language),
    })),
  ]
}

const themes = (): Readonly<Record<ThemeChoice, string>> => ({ auto: t('Colours of the system'), light: t('Light'), dark: t('Dark') })
