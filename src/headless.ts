console.log('usage: npm run -s headless -- FILE-OR-LINK [--policy a,b,...] [--seed n] [--trace out.json] [--json]')
process.exitCode = 1
