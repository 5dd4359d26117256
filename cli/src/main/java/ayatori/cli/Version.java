package ayatori.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code ayatori --version} prints: the version of this module, which Maven wrote into it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Ayatori.class.getModule().getDescriptor().rawVersion().orElse("(unknown version)");
        return new String[] {"ayatori " + version};
    }
}
