import { constant, presetsOf, stage } from './preset.ts'

/** Stages that really work, on threads: on lines of a file, and on the tiles of a picture. */
export const realWork = presetsOf({
  'log-lines': {
    title: 'Log lines, for real',
    about: 'Drop a file of JSON lines and watch real workers parse, validate, hash and compress it, in input order.',
    engine: 'threads',
    stages: [
      stage('parse', 'Parse JSON', constant(20), 'parseJson'),
      stage('validate', 'Validate', constant(10), 'validate'),
      stage('hash', 'SHA-256', constant(60), 'sha256'),
      stage('compress', 'Compress', constant(120), 'gzip'),
    ],
    source: { kind: 'lines', jobs: 0, digest: '' },
    workers: 4,
    batch: { size: 64, inHand: 1 },
    order: { kind: 'buffer', slots: 4096 },
  },
  mandelbrot: {
    title: 'A picture, tile by tile',
    about:
      'Real workers compute, colour and smooth it, what is nearest the exit first. By least total time it takes as long, and most of it comes at the very end.',
    engine: 'threads',
    stages: [
      stage('compute', 'Compute', { kind: 'bimodal', fast: 500, slow: 48_000, pSlow: 0.28 }, 'mandelbrot'),
      stage('colour', 'Colour', constant(250), 'colour'),
      stage('smooth', 'Smooth', { kind: 'bimodal', fast: 100, slow: 20_000, pSlow: 0.17 }, 'antialias'),
      stage('pack', 'Pack', constant(100), 'qoi'),
    ],
    source: { kind: 'image', width: 1152, height: 768, tile: 48, x: -0.6, y: 0, span: 3.2, iterations: 10_000 },
    workers: 4,
    policy: { kind: 'sinkFirst', lend: true },
  },
  seahorses: {
    title: 'A picture from the depth',
    about: 'Enlarged five hundred times there are edges everywhere: smoothing takes longest here and gets most seats, and any other stage with work keeps one.',
    engine: 'threads',
    stages: [
      stage('compute', 'Compute', { kind: 'lognormal', mean: 2200, cv: 1 }, 'mandelbrot'),
      stage('colour', 'Colour', constant(350), 'colour'),
      stage('smooth', 'Smooth', { kind: 'lognormal', mean: 16_000, cv: 1 }, 'antialias'),
      stage('pack', 'Pack', constant(100), 'qoi'),
    ],
    source: { kind: 'image', width: 1152, height: 768, tile: 48, x: -0.7453, y: 0.1127, span: 0.0065, iterations: 2000 },
    workers: 4,
    policy: { kind: 'proportional', lend: true },
  },
})
