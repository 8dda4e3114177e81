import { mount } from './app/shell/page/mount.tsx'
import { features } from './features.ts'

mount(features)
