package jpi.internal.launch;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file that the user has named cannot be had, in words. The message of such an exception begins with the path, or is no more than that. */
final class FileTrouble {
    private FileTrouble() {}

    /** @param missing what is not there, if that is the reason: the file, or the folder that it should be in */
    static String reason(IOException e, String missing) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such " + missing;
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException told when told.getReason() != null -> inOurWords(told.getReason());
            default -> inOurWords(String.valueOf(e.getMessage()));
        };
    }

    private static String inOurWords(String words) {
        return words.equals("Is a directory") ? "it is a folder" : words;
    }
}
