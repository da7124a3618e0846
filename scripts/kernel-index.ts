// The index of the kernels, from the catalogue. `npm run docs` writes it, and a test compares it.

import { KERNELS } from '../src/domain/kernels.ts';

/** `allTimeHigh` is in `all-time-high.ts`. */
export function kernelFile(name: string): string {
  return `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.ts`;
}

export function kernelIndex(): string {
  const names = Object.keys(KERNELS);
  const byFile = names.toSorted((a, b) => (kernelFile(a) < kernelFile(b) ? -1 : 1));
  return `// All kernels, by their names in the catalogue. Written by \`npm run docs\`; a test compares it.

import type { KernelName } from '../../domain/kernels.ts';
import type { Kernel } from '../kernel.ts';
${byFile.map(name => `import { kernel as ${name}Kernel } from './${kernelFile(name)}';\n`).join('')}
export const KERNELS: Readonly<Record<KernelName, Kernel>> = {
${names.map(name => `  ${name}: ${name}Kernel,\n`).join('')}};
`;
}
