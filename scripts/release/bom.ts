import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { Needed } from './lock.ts';

/** A package of a release, and what comes with it. */
export interface Released {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  /** Of its tarball, in hexadecimal. */
  readonly sha256: string;
  readonly at: Date;
  readonly dependencies: readonly Needed[];
  /** Those of them that the package needs itself, by their path. */
  readonly direct: readonly string[];
  /** Compiled into the files of the package, and not installed beside it. */
  readonly bundled: readonly Needed[];
}

/** The bill of materials of a package as CycloneDX 1.6 in JSON: always the same for the same release. */
export function billOf(released: Released): string {
  const { name, version, at, dependencies, direct, bundled } = released;
  const own = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    description: released.description,
    ...identityOf(name, version),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], released.sha256]]),
    licenses: licensesOf(released.license),
  });
  const installed = new Map(dependencies.map((each) => [each.path, componentOf(each)]));
  for (const each of dependencies) depend(installed.get(each.path), each.needs, installed);
  depend(own, direct, installed);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: own, timestamp: at }) });
  const inside = bundled.map(bundledOf);
  for (const component of [...uniqueOf(installed.values()), ...inside]) bom.components.add(component);
  for (const component of inside) own.dependencies.add(component.bomRef);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function depend(
  component: Models.Component | undefined,
  paths: readonly string[],
  all: ReadonlyMap<string, Models.Component>,
): void {
  for (const path of paths) {
    const needed = all.get(path);
    if (needed !== undefined) component?.dependencies.add(needed.bomRef);
  }
}

/** One package may be installed at two places. */
function uniqueOf(components: Iterable<Models.Component>): Models.Component[] {
  return [...new Map([...components].map((each) => [each.bomRef.value, each])).values()];
}

function componentOf({ name, version, license, integrity }: Needed, ...properties: readonly Models.Property[]) {
  return new Models.Component(Enums.ComponentType.Library, name, {
    version,
    ...identityOf(name, version),
    hashes: hashesOf(integrity),
    licenses: licensesOf(license),
    properties: new Models.PropertyRepository(properties),
  });
}

/** It may be installed beside itself: without a reference of its own, the library would give it a random one. */
function bundledOf(needed: Needed): Models.Component {
  const component = componentOf(needed, new Models.Property('cdx:npm:package:bundled', 'true'));
  component.bomRef.value = `${component.bomRef.value}#bundled`;
  return component;
}

function identityOf(name: string, version: string): { readonly purl: string; readonly bomRef: string } {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { purl, bomRef: purl };
}

function hashesOf(integrity: string | undefined): Models.HashDictionary {
  const sum = integrity?.startsWith('sha512-') === true ? Buffer.from(integrity.slice(7), 'base64') : undefined;
  return new Models.HashDictionary(sum === undefined ? [] : [[Enums.HashAlgorithm['SHA-512'], sum.toString('hex')]]);
}

function licensesOf(license: string | undefined): Models.LicenseRepository {
  if (license === undefined) return new Models.LicenseRepository();
  if (/ (OR|AND|WITH) /.test(license)) return new Models.LicenseRepository([new Models.LicenseExpression(license)]);
  return new Models.LicenseRepository([new Models.SpdxLicense(license)]);
}
