import { describe, expect, test } from 'vitest'
import { embedderOrigin } from '../../src/embed/messages.ts'

describe('the page around', () => {
  test.each([
    [
      'named in the address of the frame, is that one',
      'https://blog.example',
      'https://other.example',
      'https://third.example/post',
      'https://blog.example',
    ],
    ['named with a path, is its origin', 'https://blog.example/post?x#y', undefined, '', 'https://blog.example'],
    ['not named, is what the browser tells', null, 'https://blog.example', '', 'https://blog.example'],
    ['not named, is the referrer', null, undefined, 'https://blog.example:8443/post', 'https://blog.example:8443'],
    ['that is a file, is nobody', null, 'null', '', null],
    ['named in nonsense, is nobody, whatever it really is', '*', 'https://blog.example', 'https://blog.example/', null],
    ['named over plain http, is that one', 'http://localhost:8080/', undefined, '', 'http://localhost:8080'],
    ['named as nothing, is nobody: the empty name counts', '', 'https://blog.example', 'https://blog.example/', null],
    [
      'is rather what the browser tells than the referrer',
      null,
      'https://blog.example',
      'https://other.example/',
      'https://blog.example',
    ],
    ['named as data, is nobody', 'data:text/html,x', undefined, '', null],
    ['named as a file, is nobody', 'file:///home/page.html', undefined, '', null],
    ['named as a blob, is nobody', 'blob:https://blog.example/1', undefined, '', null],
    ['named as a script, is nobody', 'javascript:alert(1)', undefined, '', null],
    ['of which nothing is known, is nobody', null, undefined, '', null],
  ])('%s', (_, asked, ancestor, referrer, origin) => {
    expect(embedderOrigin(asked, ancestor, referrer)).toBe(origin)
  })
})
