import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { importBundled, root } from './bundle.mjs'

type Shell = (catalogue?: { locale: string; messages: Record<string, string> }) => string

/** Files that the first painting of the page needs: the styles of its script, and its fonts. */
const wanted = ['page', 'inter-latin-wght-normal.woff2']

/**
 * Writes the first view of the page into index.html, once in each language, and preloads the files that it needs. During
 * development it is left out, and the page works without it.
 */
export function shell(): Plugin {
  return {
    name: 'apportion-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const files = wanted.flatMap((name) =>
          Object.values(bundle).filter((file) => (file.type === 'chunk' ? [file.name] : file.names).includes(name)),
        )
        // Another page, such as one of a benchmark.
        if (files.length === 0) return html
        return { html: html.replace('<noscript>', `${await templates()}\n    <noscript>`), tags: files.flatMap(tagsOf) }
      },
    },
  }
}

async function templates(): Promise<string> {
  const { shell } = await importBundled<{ shell: Shell }>(join(root, 'src/shell.tsx'))
  const folder = join(root, 'src/language')
  const catalogues = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return [
    template('en', shell()),
    ...catalogues.map((file) => {
      const locale = file.slice(0, -'.json'.length)
      return template(locale, shell({ locale, messages: JSON.parse(readFileSync(join(folder, file), 'utf8')) }))
    }),
  ].join('\n    ')
}

/** For display only: a search for controls must find those of the real page, and input here would be lost. */
function template(language: string, markup: string): string {
  const inert = markup
    .replaceAll(/<(section class="front"|div class="page")/g, '<$1 inert aria-hidden="true"')
    .replaceAll('<select', '<select disabled')
    .replaceAll('<input', '<input readonly')
  return `<template lang="${language}">${inert}</template>`
}

function tagsOf(file: Rolldown.OutputAsset | Rolldown.OutputChunk): HtmlTagDescriptor[] {
  const link = (href: string, attrs: Record<string, string>): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { ...attrs, crossorigin: true, href: `./${href}` },
    injectTo: 'head',
  })
  if (file.type === 'asset') return [link(file.fileName, { rel: 'preload', as: 'font', type: 'font/woff2' })]
  return [...(file.viteMetadata?.importedCss ?? [])].map((style) => link(style, { rel: 'stylesheet' }))
}
