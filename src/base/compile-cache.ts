import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Lets V8 keep compiled code on disk, where Node can (22 and later), for modules that this thread imports after the call.
 * The folder is beside the program, because code in it runs as this process. If the folder is not writable, nothing is
 * kept.
 */
export function keepCompiledCode(): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable === 'function') enable(fileURLToPath(new URL('./compiled/', import.meta.url)));
}
