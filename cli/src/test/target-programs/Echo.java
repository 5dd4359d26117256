import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Copies standard input to standard output; its argument is its exit code. */
public final class Echo {
    public static void main(String[] arguments) throws IOException {
        InputStream in = System.in;
        OutputStream out = System.out;
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        out.flush();
        System.exit(Integer.parseInt(arguments[0]));
    }
}
