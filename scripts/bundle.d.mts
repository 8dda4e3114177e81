export const root: string
export function importBundled<T>(entry: string, folders?: readonly string[], prepare?: () => void): Promise<T>
