// An option of a script that takes a whole number; anything else ends the script.

export function numberOption(script: string, name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`${script}: --${name} takes a number from 0 on, not ${text}\n`);
  process.exit(2);
}
