// The API reference is served as its publisher built it: what it was built from need not be installed.
const builtPackages = new Set(["@scalar/api-reference"]);

export const hooks = {
  readPackage(manifest) {
    return builtPackages.has(manifest.name) ? { ...manifest, dependencies: {} } : manifest;
  },
};
