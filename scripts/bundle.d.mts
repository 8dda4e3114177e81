export const root: string
export const cache: string
export function bundle(entry: string, outDir: string, file: string): Promise<void>
export function importBundled<T>(entry: string, folders?: readonly string[], prepare?: () => void): Promise<T>
