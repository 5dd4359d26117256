import java.io.File;
import java.util.Arrays;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;

/** Turns picocli's AsciiDoc into man pages: {@code ManPages OUTPUT_DIRECTORY FILE.adoc...}. Run by tools/dist. */
final class ManPages {
    public static void main(String[] arguments) {
        Options options = Options.builder()
                .backend("manpage")
                .safe(SafeMode.UNSAFE)
                .toDir(new File(arguments[0]).getAbsoluteFile())
                .build();
        try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
            Arrays.stream(arguments).skip(1).map(File::new).forEach(file -> asciidoctor.convertFile(file, options));
        }
    }
}
