import { createRoot } from 'react-dom/client'
import { beginJoining } from './join/JoinRoot.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('join.html has no #root')
void beginJoining().then((page) => createRoot(root).render(page))
