export function Inspector(){return null} export function ScenarioSettings(){return null}
