import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contentSecurityPolicy, isolation, sandboxSecurityPolicy, stageSecurityPolicy } from '../../vite.config.ts'
import { repository } from './sources.ts'

describe('the headers for a host', () => {
  test('public/_headers sends the headers of the preview with every file', () => {
    const everything = readFileSync(`${repository}public/_headers`, 'utf8')
      .split('\n/*\n')[1]
      .split(/\n(?=\/)/)[0]
    const headers = Object.fromEntries(
      [...everything.matchAll(/^ {2}([\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    )
    expect(headers).toMatchObject({ ...isolation, 'Content-Security-Policy': contentSecurityPolicy })
  })

  test('only the threads that play runs may compile WebAssembly', () => {
    const [start, ...rest] = readFileSync(`${repository}public/_headers`, 'utf8').split(/\n(?=\/)/)
    const allowed = [start, ...rest].filter((part) => part.includes('wasm-unsafe-eval'))
    expect(allowed).toEqual(
      ['simulation', 'conductor'].map(
        (name) => `/assets/${name}*\n  ! Content-Security-Policy\n  Content-Security-Policy: ${sandboxSecurityPolicy}`,
      ),
    )
    expect(sandboxSecurityPolicy.replace(" 'wasm-unsafe-eval'", '')).toBe(contentSecurityPolicy)
  })

  test('the document of the code of stages has a policy of its own, and repeats it before its first script', () => {
    const [section] = readFileSync(`${repository}public/_headers`, 'utf8')
      .split(/\n(?=\/)/)
      .filter((part) => part.startsWith('/stage.html\n'))
    expect(section).toBe(`/stage.html\n  ! Content-Security-Policy\n  Content-Security-Policy: ${stageSecurityPolicy}`)
    const page = readFileSync(`${repository}public/stage.html`, 'utf8')
    const [, repeated] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page) ?? []
    // A meta tag cannot make a sandbox: the frame has one.
    expect(`sandbox allow-scripts; ${repeated}`).toBe(stageSecurityPolicy)
    expect(page.indexOf('http-equiv')).toBeLessThan(page.indexOf('<script'))
    expect(stageSecurityPolicy).toMatch(/^sandbox allow-scripts; default-src 'none';.* connect-src 'none';/)
    expect(stageSecurityPolicy).not.toMatch(/https?:|\*|'self'|allow-same-origin|unsafe-eval/)
  })

  test('the service worker is fetched every time, so that a new version is noticed', () => {
    expect(readFileSync(`${repository}public/_headers`, 'utf8')).toContain('\n/sw.js\n  Cache-Control: no-cache\n')
  })

  test('the policy allows nothing inline and nothing from other hosts', () => {
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';/)
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('index.html has no inline script, no inline style and no address of another host', () => {
    const page = readFileSync(`${repository}index.html`, 'utf8')
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)]
    expect(scripts).toHaveLength(1)
    for (const [, attributes, text] of scripts) expect([attributes.includes('src='), text]).toEqual([true, ''])
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/)
  })
})
